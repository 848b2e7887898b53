import { expect } from "chai";
import { createAudit } from "../../src/audit/audit-log.ts";
import type { Caller } from "../../src/http/route.ts";
import { createTestSender } from "../../src/pipeline/delivery/send.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createAddressGuard } from "../../src/platform/net/address-guard.ts";
import { testSendRoutes } from "../../src/subscriptions/test-send/routes.ts";
import { createTestSends } from "../../src/subscriptions/test-send/service.ts";
import { startApi, type TestApi } from "../support/api.ts";
import { anyone, fetchBy, runCli, urlOf } from "../support/cli-shell.ts";
import { useDatabase } from "../support/database.ts";
import { startExplainApi, type ExplainApi } from "../support/explain-api.ts";
import { anEvent, aSubscription } from "../support/factories.ts";
import { fanOutAll } from "../support/ledger.ts";
import { aReceivingSubscription } from "../support/pipeline.ts";
import { useReceiver } from "../support/receiver.ts";
import { testBox } from "../support/secret-box.ts";
import { aCaller } from "../support/webhook-api.ts";

describe("sightline explain and reconcile", () => {
  const database = useDatabase();
  let api: ExplainApi;
  let caller: Caller;
  before(async () => {
    api = await startExplainApi(database.db);
  });
  after(() => api.close());
  beforeEach(async () => {
    caller = await aCaller(database.db);
  });

  const run = (...words: string[]) =>
    runCli(words, { env: anyone, fetch: fetchBy(api.as(caller)) });
  const subscribe = async (filters: string[]): Promise<number> =>
    (await aSubscription(database.db, { enterprise_id: caller.enterpriseId, filters })).id;
  const happen = async () => {
    const event = await anEvent(database.db, { enterprise_id: caller.enterpriseId });
    await fanOutAll(database.db);
    return event;
  };
  const lose = (eventRowId: number) =>
    rowsOf(database.db, "DELETE FROM deliveries WHERE event_row_id = ?", [eventRowId]);

  it("explains for every webhook what happened to an event", async () => {
    const [subscribed, other] = [await subscribe(["ticket.*"]), await subscribe(["media.*"])];
    const event = await happen();
    const { code, out } = await run("explain", event.event_id);
    expect(out).to.contain(`${event.event_id}  ticket.create`);
    expect(out).to.match(new RegExp(`webhook ${subscribed} .*(?:in_flight|waiting)`, "u"));
    expect(out).to.match(
      new RegExp(`webhook ${other} .*filters\\n.*\\n  filter media\\.\\*: `, "u"),
    );
    expect(code).to.equal(0);
    const json = await run("explain", event.event_id, "--json");
    expect((JSON.parse(json.out) as { webhooks: unknown[] }).webhooks).to.have.length(2);
  });

  it("finds an event by its object", async () => {
    await subscribe(["*"]);
    const event = await happen();
    const time = new Date(event.occurred_at).toISOString();
    const id = event.key.replace("ticket:", "");
    const { code, out } = await run("explain", "--object", "ticket", "--id", id, "--time", time);
    expect(out).to.contain(event.event_id);
    expect(code).to.equal(0);
  });

  it("explains a webhook and a period: what happened, what matched, and what to do", async () => {
    const [subscribed, other] = [await subscribe(["ticket.*"]), await subscribe(["media.*"])];
    const event = await happen();
    await rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'retry', attempts = 3, last_result = '5xx' WHERE event_row_id = ?",
      [event.id],
    );
    const failing = await run("explain-webhook", String(subscribed));
    expect(failing.out).to.contain("failing: 1 event happened, 1 matched the webhook, 0 arrived.");
    expect(failing.out).to.contain("repair the receiver");
    expect(failing.out).to.match(/1 deliveries \(1 retry\), last results \(1 5xx\)/u);
    expect(failing.code).to.equal(1);
    const unmatched = await run("explain-webhook", String(other), "--since", "2026-01-01");
    expect(unmatched.out).to.match(/filters │ 1 +│ No filter matches the object \(1\)\. │ evt_/u);
    expect(unmatched.out).to.match(/ticket\.create │ 1 +│ 0/u);
    expect(unmatched.code).to.equal(0);
    const json = await run("explain-webhook", String(other), "--json");
    expect(JSON.parse(json.out)).to.include({ verdict: "filters", matched: 0 });
  });

  it("explains a webhook of another enterprise to operators only", async () => {
    const id = String(await subscribe(["media.*"]));
    await happen();
    expect((await run("explain-webhook", id, "--operator")).code).to.equal(3);
    const { enterpriseId } = caller;
    caller = await aCaller(database.db, "superadmin");
    expect((await run("explain-webhook", id)).code).to.equal(3);
    const { code, out } = await run("explain-webhook", id, "--operator");
    expect(out).to.contain(`webhook ${id} of enterprise ${enterpriseId}`);
    expect(out).not.to.contain("evt_");
    expect(code).to.equal(0);
    expect((await run("explain-webhook", "none")).code).to.equal(2);
  });

  it("exits with 1 for a lost event, 3 for an unknown one, 2 for incomplete arguments", async () => {
    await subscribe(["*"]);
    const event = await happen();
    await lose(event.id);
    const { code, out } = await run("explain", event.event_id);
    expect([code, out.includes("gap")]).to.deep.equal([1, true]);
    expect((await run("explain", "evt_none")).code).to.equal(3);
    for (const words of [[], ["--object", "ticket"], [event.event_id, "--object", "ticket"]]) {
      expect((await run("explain", ...words)).code).to.equal(2);
    }
  });

  it("exits with 0 if a replay has delivered since", async () => {
    const end = async (status: string): Promise<number> => {
      const facts = { event_id: "evt_1", object: "ticket", event: "create", event_type: null };
      const one = { webhook: 1, name: "CRM", deleted: false, verdict: "dead", text: "Given up." };
      const none = { changed_by: null, delivery: null, filters: [], conditions: [] };
      const webhooks = [{ ...one, ...none, replays: [{ replay: 2, status }] }];
      const fetch = async (): Promise<Response> =>
        Response.json({ event: { ...facts, object_id: 1, time: "t" }, candidates: [], webhooks });
      return (await runCli(["explain", "evt_1"], { env: anyone, fetch })).code;
    };
    expect([await end("dead"), await end("delivered")]).to.deep.equal([1, 0]);
  });

  it("compares a period with its deliveries, and exits with 1 if there are gaps", async () => {
    const id = await subscribe(["*"]);
    const events = [await happen(), await happen()];
    // Very recent events are not assessed yet.
    await rowsOf(
      database.db,
      `UPDATE events SET occurred_at = occurred_at - interval '1 hour' WHERE enterprise_id = ?`,
      [caller.enterpriseId],
    );
    await rowsOf(
      database.db,
      `UPDATE deliveries SET event_at = event_at - interval '1 hour',
         created_at = created_at - interval '1 hour' WHERE enterprise_id = ?`,
      [caller.enterpriseId],
    );
    const since = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const fine = await run("reconcile");
    expect(fine.out).to.contain("2 events, 2 deliveries expected, 2 found.\nNo gaps.");
    expect(fine.code).to.equal(0);
    await lose(events[0]!.id);
    const bad = await run("reconcile", "--since", since);
    expect(bad.out).to.contain(events[0]!.event_id).and.to.contain("1 gap.");
    expect(bad.code).to.equal(1);
    const json = await run("reconcile", "--since", since, "--json");
    const notified = JSON.parse(json.out) as { gaps: { webhook: number; event_id: string }[] };
    expect(notified.gaps).to.have.length(1);
    expect(notified.gaps[0]).to.include({ webhook: id, event_id: events[0]!.event_id });
    expect((await run("reconcile")).code, "of the last day").to.equal(1);
    expect((await run("reconcile", "--since", "tomorrow")).code).to.equal(3);
  });

  it("reads a long period page by page, and adds the counts", async () => {
    const parts = [
      { found: 2, gaps: [], next_cursor: "1-2-3" },
      { found: 3, gaps: [{ webhook: 1, event_id: "evt_1", object: "ticket", event: "create" }] },
    ];
    const asked: string[] = [];
    const whole = { since: "a", until: "b", kept_since: "c", clamped: false };
    const counts = { events: 4, expected: 4, waiting: 0, undetermined: 0, next_cursor: null };
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(urlOf(url).search);
      return Response.json({ ...whole, ...counts, ...parts[asked.length - 1] });
    };
    const words = ["reconcile", "--since", "2026-11-20", "--json"];
    const { code, out } = await runCli(words, { env: anyone, fetch });
    expect(asked).to.deep.equal(["?since=2026-11-20", "?cursor=1-2-3"]);
    expect(JSON.parse(out)).to.deep.include({ events: 8, expected: 8, found: 5 });
    expect(code).to.equal(1);
  });
});

describe("sightline send-test", () => {
  const database = useDatabase();
  const hook = useReceiver();
  let api: TestApi;
  let caller: Caller;
  let sender: ReturnType<typeof createTestSender>;
  before(async () => {
    const { db } = database;
    sender = createTestSender({
      ...{ db, box: testBox, clock: systemClock, timeoutMs: 2_000 },
      guard: createAddressGuard({ areLocalReceiversAllowed: true, allowList: [] }),
    });
    const tests = createTestSends({
      ...{ db, clock: systemClock, ids: randomIds, log: { info: () => undefined } },
      audit: createAudit(),
      sendTest: sender.send,
    });
    caller = await aCaller(db);
    api = await startApi({
      routes: testSendRoutes(tests),
      authenticate: async (token) =>
        token === caller.token ? { caller, hasSolution: true } : undefined,
    });
  });
  after(async () => {
    sender.close();
    await api.close();
  });

  const run = (...words: string[]) =>
    runCli(["send-test", ...words], {
      env: { SIGHTLINE_URL: api.url, SIGHTLINE_TOKEN: caller.token },
    });

  it("shows the receiver's answer to a sample, and exits with 0 on 2xx", async () => {
    const { enterpriseId } = caller;
    const { id } = await aReceivingSubscription(database.db, {
      url: hook.receiver.url,
      enterpriseId,
    });
    hook.receiver.answerWith([
      { status: 202, body: "thanks" },
      { status: 500, body: "no" },
    ]);
    const valid = await run(String(id), "--filter", "media.update");
    expect(valid.out).to.match(/^evt_[\s\S]*\n202 in \d+ ms\n[\s\S]*thanks/u);
    expect(valid.code).to.equal(0);
    expect(hook.receiver.requests[0]?.json()).to.include({ object: "media", event: "update" });
    const bad = await run(String(id), "--json");
    expect((JSON.parse(bad.out) as { result: { code: number } }).result.code).to.equal(500);
    expect(bad.code).to.equal(1);
    expect((await run("999999")).code).to.equal(3);
    expect((await run(String(id), "--filter", "ticket.create", "--event", "evt_1")).code).to.equal(
      2,
    );
  });
});
