import { composePasses } from "../src/compose/tasks.ts";
import { openProcess, openHealth } from "../src/compose/platform.ts";
import { startSchedule } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

void runUntilSignal("schedule", async (lifecycle) => {
  const platform = await openProcess("schedule", lifecycle);
  const listen = openHealth(platform);
  startSchedule(platform, composePasses(platform));
  await listen();
});
