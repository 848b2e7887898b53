import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { maxExported } from "../../../src/deliveries/log/present.ts";
import { useDatabase } from "../../support/database.ts";
import { useDeliveryLog, type LogItem } from "../../support/delivery-log-api.ts";
import { aCaller } from "../../support/webhook-api.ts";

const path = "/webhooks/deliveries/export";

describe("the export of the delivery log", () => {
  const database = useDatabase();
  const { current, call, callAs, aDelivery, anAttempt } = useDeliveryLog(database);

  /** Inserts deliveries whose events were deleted. */
  const many = async (count: number): Promise<void> => {
    const { enterpriseId: enterprise_id } = current.admin;
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at)
       SELECT ?, ?, 1000 + n, 1000000 + n, now(), 'ticket', 'ticket:1',
         CASE WHEN n % 2 = 0 THEN 'dead' ELSE 'delivered' END, now()
       FROM generate_series(1, ?::int) AS n`,
      [enterprise_id, current.subscriptionId, count],
    );
  };

  it("returns the same rows as the search with the same filters, as JSON and as CSV", async () => {
    const dead = await aDelivery(
      { state: "dead", attempts: 3, last_result: "5xx", ended_at: new Date() },
      { event_id: "evt_export", object: "ticket", event: "update", object_id: "4711" },
    );
    await anAttempt(dead, { status: 503, duration_ms: 1_204 });
    await aDelivery({ state: "delivered" });

    const searched = await call("/webhooks/deliveries?status=dead");
    const json = await call(`${path}?status=dead`);
    expect(json.status).to.equal(200);
    expect(json.headers.get("content-disposition")).to.equal(
      'attachment; filename="webhook-deliveries.json"',
    );
    expect(json.body).to.deep.equal({
      complete: true,
      next_cursor: null,
      data: searched.body["data"],
    });
    expect((json.body["data"] as LogItem[]).map(({ id }) => id)).to.deep.equal([dead]);

    const csv = await call(`${path}?status=dead&format=csv`);
    expect(csv.headers.get("content-type")).to.equal("text/csv; charset=utf-8");
    expect(csv.headers.get("x-next-cursor")).to.equal(null);
    const [head = "", row = "", ...rest] = String(csv.body["text"]).split("\r\n");
    expect(rest).to.deep.equal([""]);
    const cells = Object.fromEntries(
      head
        .replace("\uFEFF", "")
        .split(";")
        .map((name, at) => [name, row.split(";")[at]]),
    );
    expect(cells).to.include({
      ...{ id: String(dead), status: "dead", webhook: String(current.subscriptionId) },
      ...{
        event_id: "evt_export",
        webhook_id: "evt_export",
        event: "update",
        object_id: "4711",
        attempt_count: "3",
      },
      ...{ last_ms: "1204", last_result: "5xx", last_code: "503", next_try: "" },
    });
  });

  it("shows only the origin of a webhook URL, as the log does", async () => {
    await aDelivery();
    await rowsOf(database.db, "UPDATE subscriptions SET url = ?, name = '=1+1' WHERE id = ?", [
      "https://user:pass@crm.example.com/in?key=secret",
      current.subscriptionId,
    ]);
    for (const format of ["csv", "json"]) {
      const { body } = await call(`${path}?format=${format}`);
      const text = JSON.stringify(body);
      expect(text)
        .to.contain("https://crm.example.com")
        .and.not.to.match(/secret|pass/u);
    }
    // A name that looks like a formula is escaped.
    expect((await call(`${path}?format=csv`)).body["text"]).to.contain(";'=1+1;");
  });

  it("stops at its limit, reports it, and continues without a gap", async () => {
    await many(maxExported + 3);
    const first = await call(path);
    expect(first.body["complete"]).to.equal(false);
    const cursor = String(first.body["next_cursor"]);
    expect(first.headers.get("x-next-cursor")).to.equal(cursor);
    const rest = await call(`${path}?cursor=${cursor}`);
    expect(rest.body["complete"]).to.equal(true);
    const ids = [first, rest].map(({ body }) => (body["data"] as LogItem[]).map(({ id }) => id));
    expect(ids.map(({ length }) => length)).to.deep.equal([maxExported, 3]);
    const all = ids.flat();
    expect(all).to.deep.equal(all.toSorted((a, b) => b - a));
    expect(new Set(all).size).to.equal(maxExported + 3);
    expect((await call(`${path}?status=dead&cursor=${cursor}`)).status).to.equal(400);
  });

  it("returns nothing of another enterprise, and only the header without matches", async () => {
    await aDelivery();
    const stranger = callAs(await aCaller(database.db));
    expect((await stranger(path)).body).to.deep.equal({
      ...{ complete: true, next_cursor: null, data: [] },
    });
    const { text } = (await stranger(`${path}?format=csv`)).body;
    expect(String(text).split("\r\n")).to.have.length(2);
    expect((await stranger(`${path}?webhook=${current.subscriptionId}`)).status).to.equal(400);
    expect((await call(`${path}?format=xml`)).status).to.equal(400);
  });
});
