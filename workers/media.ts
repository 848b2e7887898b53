import { composeTaskHandlers, startTidying } from "../src/compose/tasks.ts";
import { openProcess, serveHealth } from "../src/compose/platform.ts";
import { startTasks } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("media", async (lifecycle) => {
  const platform = await openProcess("media", lifecycle);
  startTasks(platform, "media", composeTaskHandlers(platform));
  startTidying(platform);
  await serveHealth(platform);
});
