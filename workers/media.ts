import { composeTaskHandlers, startLeftoverCleanup } from "../src/compose/tasks.ts";
import { openProcess, openHealth } from "../src/compose/platform.ts";
import { startTasks } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

void runUntilSignal("media", async (lifecycle) => {
  const platform = await openProcess("media", lifecycle);
  const listen = openHealth(platform);
  startTasks(platform, "media", composeTaskHandlers(platform));
  startLeftoverCleanup(platform);
  await listen();
});
