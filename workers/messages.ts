import { composeTaskHandlers } from "../src/compose-tasks.ts";
import { openProcess, serveHealth, startTasks } from "../src/compose.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("messages", async (lifecycle) => {
  const platform = await openProcess("messages", lifecycle);
  startTasks(platform, "messages", composeTaskHandlers(platform));
  await serveHealth(platform);
});
