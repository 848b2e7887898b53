import { composeTaskHandlers } from "../src/compose/tasks.ts";
import { openProcess, openHealth } from "../src/compose/platform.ts";
import { startTasks } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

void runUntilSignal("messages", async (lifecycle) => {
  const platform = await openProcess("messages", lifecycle);
  const listen = openHealth(platform);
  startTasks(platform, "messages", composeTaskHandlers(platform));
  await listen();
});
