import { expect } from "chai";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import { createSubscriptionSet } from "../../../src/pipeline/relay/subscription-rules.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import {
  reconcile as compare,
  type ReconcileCounts,
} from "../../../src/deliveries/reconciliation/reconcile.ts";
import { useDatabase } from "../../support/database.ts";
import { aReplay, reviseSubscription, useExplainApi } from "../../support/explain-api.ts";
import type { EventRow } from "../../support/factories.ts";
import { fanOutAll, openLimits } from "../../support/ledger.ts";

type Gap = { webhook: number; event_id: string; reason: string };

describe("reconciliation", () => {
  const database = useDatabase();
  const api = useExplainApi(database);
  const lose = (event: EventRow, id: number) =>
    rowsOf(database.db, "DELETE FROM deliveries WHERE event_row_id = ? AND subscription_id = ?", [
      event.id,
      id,
    ]);
  const reconcile = async (query = "") => {
    const answer = await api.call("GET", `/webhooks/reconcile${query}`);
    expect(answer.status).to.equal(200);
    return answer.body;
  };
  const namesOf = (body: Awaited<ReturnType<typeof reconcile>>) =>
    (body["gaps"] as Gap[]).map((gap) => [gap.webhook, gap.event_id, gap.reason]);

  it("finds no false gap across filters, conditions, switches and deletions, and finds a real one", async () => {
    const all = await api.subscribe();
    const changing = await api.subscribe({ filters: ["media.*"] });
    const conditional = await api.subscribe({ conditions: '{"props.state":"done"}' });
    const switching = await api.subscribe();
    const deleted = await api.subscribe();
    const done = { body: '{"props":{"state":"done"}}' };
    const events = [
      await api.happen(),
      await api.happen(done),
      await api.happen({ object: "media" }),
    ];
    await fanOutAll(database.db);
    await reviseSubscription(database.db, changing, { filters: ["ticket.*"] });
    await reviseSubscription(database.db, switching, { is_active: false });
    await reviseSubscription(database.db, deleted, { is_active: false, deleted_at: new Date() });
    events.push(await api.happen(), await api.happen(done), await api.happen({ object: "media" }));
    await fanOutAll(database.db);
    await reviseSubscription(database.db, switching, { is_active: true });
    await reviseSubscription(database.db, conditional, { conditions: null });
    await fanOutAll(database.db);
    const before = await reconcile();
    expect(before).to.include({ events: 6, expected: 14, found: 14, waiting: 0, undetermined: 0 });
    expect(before["gaps"]).to.deep.equal([]);
    expect(before["next_cursor"]).to.equal(null);
    await lose(events[2]!, all);
    await lose(events[1]!, conditional);
    const after = await reconcile();
    expect(after).to.include({ expected: 14, found: 12 });
    expect(namesOf(after)).to.deep.equal([
      [conditional, events[1]?.event_id, "no_delivery"],
      [all, events[2]?.event_id, "no_delivery"],
    ]);
    expect(after["gaps"][1]).to.include({ object: "media", event: "create", event_type: null });
  });

  it("distinguishes events in the outbox and dead letters from lost deliveries", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    await api.happen();
    await rowsOf(
      database.db,
      `WITH gone AS (DELETE FROM outbox WHERE event_row_id = ? RETURNING *)
       INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason)
       SELECT event_row_id, occurred_at, enterprise_id, 'a rule was broken' FROM gone`,
      [event.id],
    );
    const body = await reconcile();
    expect(body).to.include({ expected: 2, found: 0, waiting: 1 });
    expect(namesOf(body)).to.deep.equal([[id, event.event_id, "dead_letter"]]);
  });

  it("finds a missing delivery at the time of a change, if its sequence is missing", async () => {
    const id = await api.subscribe({ valid_from: new Date(Date.now() - 1_000) });
    const events = [await api.happen(), await api.happen(), await api.happen()];
    await fanOutAll(database.db);
    expect(await reconcile()).to.deep.include({ expected: 3, found: 3, gaps: [] });
    for (const event of events.toReversed()) {
      await rowsOf(database.db, "DELETE FROM deliveries WHERE event_row_id = ?", [event.id]);
      expect(namesOf(await reconcile())).to.deep.include([id, event.event_id, "no_delivery"]);
      expect(await api.explainOne(event, id)).to.include({ verdict: "gap" });
    }
    expect(await reconcile()).to.deep.include({ expected: 3, found: 0, undetermined: 0 });
  });

  it("handles replays, removed content and concurrent changes", async () => {
    const id = await api.subscribe({ conditions: '{"props.state":"done"}' });
    const event = await api.happen({ body: '{"props":{"state":"done"}}' });
    await fanOutAll(database.db);
    const replay = await aReplay(database.db, api.caller.enterpriseId, id);
    await rowsOf(
      database.db,
      "UPDATE deliveries SET replay_id = ? WHERE event_row_id = ? AND subscription_id = ?",
      [replay, event.id, id],
    );
    expect(namesOf(await reconcile())).to.deep.equal([[id, event.event_id, "no_delivery"]]);
    await rowsOf(database.db, "UPDATE events SET body = '', expunged_at = now() WHERE id = ?", [
      event.id,
    ]);
    expect(await reconcile()).to.deep.include({ expected: 0, undetermined: 1, gaps: [] });
    await api.subscribe({ valid_from: new Date(Date.now() - 1_000) });
    const fresh = await api.happen({ object: "media" });
    await rowsOf(database.db, "DELETE FROM outbox WHERE event_row_id = ?", [fresh.id]);
    expect(await reconcile()).to.deep.include({ expected: 0, undetermined: 3, gaps: [] });
  });

  it("finds no gap at any time while the relay is running", async () => {
    await api.subscribe();
    await api.subscribe({ conditions: '{"props.n":{"$lt":50}}' });
    const set = createSubscriptionSet();
    const write = async () => {
      for (let n = 0; n < 100; n += 1) {
        await api.happen({ body: JSON.stringify({ props: { n } }) });
      }
    };
    let isWriting = true;
    const relay = async () => {
      let left = 1;
      while (isWriting || left > 0) {
        const range = { limit: 7, afterEventRowId: 0 };
        left = (await fanOut(database.db, set, range, openLimits())).events?.length ?? 0;
      }
    };
    const seen: Record<string, unknown>[] = [];
    const watch = async () => {
      while (isWriting) {
        seen.push(await reconcile());
      }
    };
    const writing = write().finally(() => {
      isWriting = false;
    });
    await Promise.all([writing, relay(), watch()]);
    for (const body of seen) {
      const { expected, found, waiting, gaps } = body;
      expect(gaps).to.deep.equal([]);
      expect(Number(found) + Number(waiting)).to.equal(expected);
    }
    expect(seen.length).to.be.greaterThan(3);
    expect(await reconcile()).to.include({ events: 100, expected: 150, found: 150, waiting: 0 });
  });

  it("continues by cursor over several pages, and reports each gap once", async () => {
    const { enterpriseId } = api.caller;
    const id = await api.subscribe();
    await rowsOf(
      database.db,
      `INSERT INTO events (event_id, enterprise_id, object, event, object_id, key, body)
       SELECT 'evt_' || ? || '_' || n, ?, 'ticket', 'create', n, 'k', '{}'
       FROM generate_series(1, 22500) AS n`,
      [enterpriseId, enterpriseId],
    );
    // Every twentieth event has no delivery.
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
         object, key, state, due_at)
       SELECT e.enterprise_id, ?, e.object_id::bigint, e.id, e.occurred_at, 'ticket', 'k',
         'delivered', now()
       FROM events e WHERE e.enterprise_id = ? AND e.object_id::bigint % 20 <> 0`,
      [id, enterpriseId],
    );
    const gaps: string[] = [];
    const counted = { events: 0, found: 0, pages: 0 };
    let cursor: string | null = "";
    while (cursor !== null) {
      const body: Awaited<ReturnType<typeof reconcile>> = await reconcile(
        cursor === "" ? "" : `?cursor=${cursor}`,
      );
      gaps.push(...(body["gaps"] as Gap[]).map((gap) => gap.event_id));
      counted.events += Number(body["events"]);
      counted.found += Number(body["found"]);
      counted.pages += 1;
      cursor = body["next_cursor"] as string | null;
    }
    expect(counted).to.deep.equal({ events: 22_500, found: 21_375, pages: 2 });
    expect(new Set(gaps).size).to.equal(1_125);
    expect(gaps).to.have.length(1_125);
  });

  it("covers the requested period, as far as everything in it is kept", async () => {
    await api.subscribe();
    const day = 86_400_000;
    await api.happen({ occurred_at: new Date(Date.now() - 40 * day) });
    await api.happen({ occurred_at: new Date(Date.now() - 2 * day) });
    await api.happen();
    await fanOutAll(database.db);
    const ago = (days: number) =>
      encodeURIComponent(new Date(Date.now() - days * day).toISOString());
    expect(await reconcile()).to.include({ events: 1, clamped: false });
    expect(await reconcile(`?since=${ago(3)}&until=${ago(1)}`)).to.include({ events: 1 });
    const long = await reconcile(`?since=${ago(50)}`);
    expect(long).to.include({ events: 2, clamped: true });
    expect(long["since"]).to.equal(long["kept_since"]);
    expect(await reconcile(`?since=${ago(50)}&until=${ago(45)}`)).to.include({
      events: 0,
      clamped: true,
    });
    const wrong = await api.call("GET", `/webhooks/reconcile?since=${ago(1)}&until=${ago(2)}`);
    expect(wrong.body["errors"]).to.deep.equal([{ field: "until", reason: "range" }]);
    const cursor = await api.call("GET", "/webhooks/reconcile?cursor=abc");
    expect(cursor.body["errors"]).to.deep.equal([{ field: "cursor", reason: "format" }]);
  });

  it("continues on the next page after slow conditions, and omits no event", async () => {
    const id = await api.subscribe({ conditions: '{"props.state":"done"}' });
    const events: EventRow[] = [];
    for (let count = 0; count < 120; count += 1) {
      events.push(await api.happen({ body: '{"props":{"state":"done"}}' }));
    }
    await fanOutAll(database.db);
    await lose(events[0]!, id);
    await lose(events[119]!, id);
    const period = { since: new Date(0), until: api.inSeconds(60), afterId: 0 };
    const pages: ReconcileCounts[] = [];
    for (let afterId: number | null = 0; afterId !== null; afterId = pages.at(-1)!.next) {
      const noTime = 0;
      pages.push(
        await compare(database.db, api.caller.enterpriseId, { ...period, afterId }, noTime),
      );
    }
    expect(pages.map((page) => page.events)).to.deep.equal([50, 50, 20]);
    expect(pages.map((page) => page.found)).to.deep.equal([49, 50, 19]);
    expect(pages.flatMap(({ gaps }) => gaps.map(({ event }) => event.id))).to.deep.equal([
      events[0]?.id,
      events[119]?.id,
    ]);
  });

  it("covers only the own enterprise", async () => {
    const id = await api.subscribe();
    await lose(await api.happen(), id);
    await rowsOf(database.db, "DELETE FROM outbox");
    const stranger = await api.asStranger();
    const { body } = await stranger("GET", "/webhooks/reconcile");
    expect(body).to.deep.include({ events: 0, expected: 0, gaps: [] });
    expect(await reconcile()).to.include({ events: 1, expected: 1 });
  });
});
