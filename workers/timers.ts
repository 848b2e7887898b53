import { composeTaskHandlers } from "../src/compose/tasks.ts";
import { openProcess, openHealth } from "../src/compose/platform.ts";
import { startTasks } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

void runUntilSignal("timers", async (lifecycle) => {
  const platform = await openProcess("timers", lifecycle);
  const listen = openHealth(platform);
  startTasks(platform, "timers", composeTaskHandlers(platform));
  await listen();
});
