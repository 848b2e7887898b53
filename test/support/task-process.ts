/**
 * A process of the timer queue whose tasks have countable effects: each one records its run, takes
 * a while, and then changes its row if that was unchanged.
 */
import { openProcess, openHealth } from "../../src/compose/platform.ts";
import { startTasks } from "../../src/compose/roles.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { runUntilSignal } from "../../src/platform/lifecycle.ts";

await runUntilSignal("timers", async (lifecycle) => {
  const platform = await openProcess("timers", lifecycle);
  const listen = openHealth(platform);
  const { db } = platform;
  startTasks(platform, "timers", {
    "ticket.age": async ({ key }) => {
      await rowsOf(db, "UPDATE effects SET runs = runs + 1 WHERE key = ?", [key]);
      await rowsOf(db, "SELECT pg_sleep(random() * 0.02)");
      await rowsOf(
        db,
        "UPDATE effects SET effects = effects + 1, is_done = true WHERE key = ? AND NOT is_done",
        [key],
      );
      return { kind: "done" };
    },
  });
  await listen();
});
