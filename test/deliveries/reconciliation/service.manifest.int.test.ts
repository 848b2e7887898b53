import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { stampOf, useExplainApi } from "../../support/explain-api.ts";
import { fanOutAll } from "../../support/ledger.ts";

describe("the manifest of a webhook", () => {
  const database = useDatabase();
  const api = useExplainApi(database);
  const manifest = async (id: number, query = "") => {
    const answer = await api.call("GET", `/webhooks/${id}/manifest${query}`);
    expect(answer.status).to.equal(200);
    return answer.body;
  };
  const sequencesOf = (body: Awaited<ReturnType<typeof manifest>>) =>
    (body["data"] as { sequence: number }[]).map(({ sequence }) => sequence);

  it("lists deliveries by sequence, page by page", async () => {
    const id = await api.subscribe();
    const first = await api.happen({ object_id: "8", event: "update" });
    for (let count = 0; count < 4; count += 1) {
      await api.happen();
    }
    await fanOutAll(database.db);
    const body = await manifest(id, "?limit=2");
    expect(body).to.include({ from: 1, to: 5, last_sequence: 5, kept_from: 1, next: 3 });
    expect(body["missing"]).to.deep.equal([]);
    expect(body["data"][0]).to.deep.equal({
      sequence: 1,
      event_id: first.event_id,
      webhook_id: first.event_id,
      state: "queued",
      object: "ticket",
      object_id: 8,
      event: "update",
      time: stampOf(first.occurred_at),
      replay: false,
    });
    expect(sequencesOf(await manifest(id, "?limit=2&from=3"))).to.deep.equal([3, 4]);
    const last = await manifest(id, "?limit=2&from=5");
    expect(sequencesOf(last)).to.deep.equal([5]);
    expect(last["next"]).to.equal(null);
    expect(sequencesOf(await manifest(id, "?from=2&to=3"))).to.deep.equal([2, 3]);
    const beyond = await manifest(id, "?from=9");
    expect(beyond).to.deep.include({ data: [], missing: [], next: null, last_sequence: 5 });
  });

  it("reports deleted sequences", async () => {
    const id = await api.subscribe();
    for (let count = 0; count < 7; count += 1) {
      await api.happen();
    }
    await fanOutAll(database.db);
    await rowsOf(
      database.db,
      "DELETE FROM deliveries WHERE subscription_id = ? AND sequence IN (1, 2, 5, 7)",
      [id],
    );
    const body = await manifest(id);
    expect(body).to.include({ kept_from: 3, next: null });
    expect(body["missing"]).to.deep.equal([
      { from: 1, to: 2 },
      { from: 5, to: 5 },
      { from: 7, to: 7 },
    ]);
    const page = await manifest(id, "?limit=2");
    expect(page).to.deep.include({ missing: [{ from: 1, to: 2 }], next: 5 });
    await rowsOf(database.db, "DELETE FROM deliveries WHERE subscription_id = ?", [id]);
    const none = await manifest(id);
    expect(none).to.deep.include({ kept_from: null, data: [], missing: [{ from: 1, to: 7 }] });
  });

  it("is not visible to another enterprise, and limits the page size", async () => {
    const id = await api.subscribe();
    const stranger = await api.asStranger();
    expect((await stranger("GET", `/webhooks/${id}/manifest`)).status).to.equal(404);
    const answer = await api.call("GET", `/webhooks/${id}/manifest?limit=1001`);
    expect(answer.body["errors"]).to.deep.equal([{ field: "limit", reason: "range" }]);
  });
});
