import { createRig } from "./support/rig.ts";
import { startStack } from "./support/stack.ts";
import { drain, warmUp } from "./scenarios/drain.ts";
const stack = await startStack();
try {
  const rig = await createRig(stack);
  const line = await rig.openLine(1);
  const roles = { queue: "redis" } as const;
  await warmUp(rig, { line, roles, events: 3000 });
  for (let i = 0; i < 3; i++) console.log(await drain(rig, { line, roles, events: 20000 }));
} finally {
  await stack.stop();
}
