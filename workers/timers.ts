import { composeTaskHandlers } from "../src/compose-tasks.ts";
import { openProcess, serveHealth, startTasks } from "../src/compose.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("timers", async (lifecycle) => {
  const platform = await openProcess("timers", lifecycle);
  startTasks(platform, "timers", composeTaskHandlers(platform));
  await serveHealth(platform);
});
