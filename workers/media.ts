import { composeTaskHandlers, startTidying } from "../src/compose-tasks.ts";
import { openProcess, serveHealth, startTasks } from "../src/compose.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("media", async (lifecycle) => {
  const platform = await openProcess("media", lifecycle);
  startTasks(platform, "media", composeTaskHandlers(platform));
  startTidying(platform);
  await serveHealth(platform);
});
