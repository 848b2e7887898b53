import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aCaller, startWebhookApi, type WebhookApi } from "../support/webhook-api.ts";

describe("a deleted webhook", () => {
  const database = useDatabase();
  let api: WebhookApi;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  after(() => api.close());

  it("keeps no secret", async () => {
    const call = api.as(await aCaller(database.db));
    const { body } = await call("POST", "/webhooks", {
      ...{ name: "One", url: "https://receiver.example/hook", active: true },
      signatures: ["v1", "v1a"],
      headers: [{ name: "Authorization", value: "Bearer of the receiver" }],
    });
    const id = Number(body["id"]);
    const storedSecrets = () =>
      rowsOf(
        database.db,
        `SELECT length(secret_sealed) > 0 AS secret, keys_sealed IS NOT NULL AS keys,
           headers_sealed IS NOT NULL AS headers FROM subscriptions WHERE id = ?`,
        [id],
      );
    expect(await storedSecrets()).to.deep.equal([{ secret: true, keys: true, headers: true }]);
    await call("DELETE", `/webhooks/${id}`);
    expect(await storedSecrets()).to.deep.equal([{ secret: false, keys: false, headers: false }]);
  });
});
