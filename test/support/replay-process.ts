/** A process of the timer queue that runs only replay tasks. */
import { openProcess, openHealth } from "../../src/compose/platform.ts";
import { startTasks } from "../../src/compose/roles.ts";
import { runUntilSignal } from "../../src/platform/lifecycle.ts";
import { createTasks } from "../../src/platform/tasks/task.ts";
import { createReplayTasks } from "../../src/deliveries/replays/step.ts";

await runUntilSignal("timers", async (lifecycle) => {
  const platform = await openProcess("timers", lifecycle);
  const listen = openHealth(platform);
  const { clock, notifier, config } = platform;
  startTasks(
    platform,
    "timers",
    createReplayTasks({
      ...platform,
      tasks: createTasks({ clock, wake: () => notifier.wake("tasks") }),
      onDue: () => notifier.wake("schedule"),
      retentionDays: config.delivery.retentionDays,
    }),
  );
  await listen();
});
