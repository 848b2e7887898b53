import { expect } from "chai";
import { readDeadToday } from "../../../../src/pipeline/ledger/queries/live.ts";
import { rowsOf } from "../../../../src/platform/db/pool.ts";
import { useDatabase } from "../../../support/database.ts";
import { aCaller, startWebhookApi, type WebhookApi } from "../../../support/webhook-api.ts";

describe("the dead deliveries of today", () => {
  const database = useDatabase();
  let api: WebhookApi;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  after(() => api.close());

  it("count from the first midnight where clocks go back at midnight", async () => {
    const admin = await aCaller(database.db);
    const { enterpriseId } = admin;
    const settings = { url: "https://receiver.example/hook", active: true };
    const { body } = await api.as(admin)("POST", "/webhooks", settings);
    await rowsOf(database.db, "UPDATE enterprises SET time_zone = ? WHERE id = ?", [
      "Atlantic/Azores",
      enterpriseId,
    ]);
    // On this day, 01:00 becomes 00:00 at 01:00 UTC.
    for (const [at, dead] of [
      ["2026-10-24T23:59:00Z", 1],
      ["2026-10-25T00:30:00Z", 2],
      ["2026-10-25T01:30:00Z", 4],
    ] as const) {
      await rowsOf(
        database.db,
        `INSERT INTO delivery_tallies (subscription_id, enterprise_id, step, at, delivered, failed,
           retried, dead) VALUES (?, ?, 60, ?, 0, 0, 0, ?)`,
        [Number(body["id"]), enterpriseId, at, dead],
      );
    }
    const now = new Date("2026-10-25T12:00:00Z");
    expect(await readDeadToday(database.db, enterpriseId, now)).to.equal(6);
  });
});
