import { expect } from "chai";
import type { Caller } from "../../src/http/route.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { startExplainApi, type ExplainApi } from "../support/explain-api.ts";
import { anEvent } from "../support/factories.ts";
import { aCaller, type Call } from "../support/webhook-api.ts";

describe("filter test", () => {
  const database = useDatabase();
  let api: ExplainApi;
  before(async () => {
    api = await startExplainApi(database.db);
  });
  after(() => api.close());

  let caller: Caller;
  let call: Call;
  beforeEach(async () => {
    caller = await aCaller(database.db);
    call = api.as(caller);
  });
  const happen = (columns: object = {}) =>
    anEvent(database.db, { enterprise_id: caller.enterpriseId, ...columns });
  const withState = (state: string) => ({ body: JSON.stringify({ props: { state } }) });
  const test = (body: unknown) => call("POST", "/webhooks/filter-test", body);

  it("returns how many of the newest events match, which, and by which filters", async () => {
    const created = await happen({ object_id: "41" });
    await happen({ object: "media", event: "update" });
    const deleted = await happen({ event: "delete", object_id: "42" });
    const answer = await test({ filters: ["ticket.*", "ticket.delete", "smsmessage.create"] });
    expect(answer.status).to.equal(200);
    const { events, ...rest } = answer.body;
    expect(rest).to.deep.equal({
      examined: 3,
      oldest: `${created.occurred_at.toISOString().slice(0, 19)}+00:00`,
      passed_filters: 2,
      matched: 2,
      undetermined: 0,
      unjudged: 0,
      unused_filters: ["smsmessage.create"],
    });
    expect(events).to.deep.equal([
      {
        event_id: deleted.event_id,
        webhook_id: deleted.event_id,
        object: "ticket",
        event: "delete",
        event_type: null,
        object_id: 42,
        time: `${deleted.occurred_at.toISOString().slice(0, 19)}+00:00`,
        filters: ["ticket.*", "ticket.delete"],
      },
      {
        event_id: created.event_id,
        webhook_id: created.event_id,
        object: "ticket",
        event: "create",
        event_type: null,
        object_id: 41,
        time: `${created.occurred_at.toISOString().slice(0, 19)}+00:00`,
        filters: ["ticket.*"],
      },
    ]);
  });

  it("evaluates conditions too, and counts redacted events separately", async () => {
    const done = await happen(withState("done"));
    await happen(withState("new"));
    await happen({ object: "media", ...withState("done") });
    await happen({ body: "", expunged_at: new Date() });
    const conditions = { "props.state": { $in: ["done", "closed"] } };
    const { body } = await test({ filters: ["ticket.*"], conditions });
    expect(body).to.include({ examined: 4, passed_filters: 3, matched: 1, undetermined: 1 });
    expect(body["events"][0]["event_id"]).to.equal(done.event_id);
  });

  it("tests the requested number of events, and shows the first hundred matches", async () => {
    for (let count = 0; count < 104; count += 1) {
      await happen();
    }
    const some = await test({ filters: ["*"], limit: 10 });
    expect(some.body).to.include({ examined: 10, matched: 10 });
    const all = await test({ filters: ["*"], conditions: { props: { $exists: true } } });
    expect(all.body).to.include({ examined: 104, matched: 104 });
    expect(all.body["events"]).to.have.length(100);
  });

  it("rejects invalid filters, conditions and limits", async () => {
    const filters = ["*"];
    const refusals: [unknown, string, string][] = [
      [{ filters: ["ticket.explode"] }, "filters[0]", "unknown"],
      [{ filters, conditions: { $where: "1" } }, "conditions", "unknown"],
      [{ filters, limit: 1_001 }, "limit", "range"],
    ];
    for (const [body, field, reason] of refusals) {
      const answer = await test(body);
      expect(answer.status).to.equal(400);
      expect(answer.body["errors"]).to.deep.equal([{ field, reason }]);
    }
    expect((await test({})).status).to.equal(400);
  });

  it("runs two at once, and answers 429 to more", async () => {
    await happen();
    const ask = () => test({ filters: ["*"] });
    const asked = await inTransaction(database.db, async (trx) => {
      await trx.raw("LOCK TABLE events IN ACCESS EXCLUSIVE MODE");
      const calls = [ask(), ask(), ask()];
      const refused = await Promise.race(calls);
      expect(refused.status).to.equal(429);
      expect(refused.headers.get("retry-after")).to.equal("5");
      return { calls };
    });
    const answers = await Promise.all(asked.calls);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
      200, 200, 429,
    ]);
    expect((await ask()).status).to.equal(200);
  });

  it("reads no other enterprise's events", async () => {
    await happen();
    const { body } = await api.as(await aCaller(database.db))("POST", "/webhooks/filter-test", {
      filters: ["*"],
    });
    expect(body).to.deep.equal({
      examined: 0,
      oldest: null,
      passed_filters: 0,
      matched: 0,
      undetermined: 0,
      unjudged: 0,
      unused_filters: ["*"],
      events: [],
    });
  });
});
