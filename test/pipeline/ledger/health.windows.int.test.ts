import { expect } from "chai";
import { narrowWindows } from "../../../src/pipeline/ledger/health.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

describe("concurrency windows", () => {
  const database = useDatabase();

  it("are narrowed to the smallest size given, never widened, and only those named", async () => {
    const sizes = [32, 32, 3, 32.5];
    const ids: number[] = [];
    const { id: enterprise_id } = await anEnterprise(database.db);
    for (const size of sizes) {
      const { id } = await aSubscription(database.db, { enterprise_id });
      ids.push(id);
      await rowsOf(
        database.db,
        "UPDATE subscription_health SET window_size = ? WHERE subscription_id = ?",
        [size, id],
      );
    }
    const [first = 0, second = 0, third = 0] = ids;
    const wereLarger = await narrowWindows(database.db, [
      { subscriptionId: third, size: 4 },
      { subscriptionId: first, size: 8 },
      { subscriptionId: second, size: 12 },
      { subscriptionId: first, size: 4 },
      { subscriptionId: 1_000_000, size: 4 },
    ]);
    expect(wereLarger).to.deep.equal([false, true, true, true, false]);
    const rows = await rowsOf<{ window_size: number }>(
      database.db,
      `SELECT window_size FROM subscription_health WHERE subscription_id = ANY(?)
       ORDER BY subscription_id`,
      [ids],
    );
    expect(rows.map((row) => row.window_size)).to.deep.equal([4, 12, 3, 32.5]);
  });
});
