/**
 * A process of the lane of timers whose tasks do something that a test can count: each writes down
 * that it ran, works a little, and then changes its row if it was unchanged.
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
