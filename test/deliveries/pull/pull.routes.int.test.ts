import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import {
  addDeliveries,
  aPullingReader,
  startPullApi,
  type PullApi,
} from "../../support/pull-api.ts";
import { eventually } from "../../support/eventually.ts";
import { aCaller, type ApiAnswer } from "../../support/webhook-api.ts";
import { promised } from "../../support/promised.ts";

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
function sequencesOf({ body }: ApiAnswer): number[] {
  return (body["data"] as { sequence: number }[]).map(({ sequence }) => sequence);
}
function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `{"n": ${index + 1},  "é": "\\u00e9"}`);
}

describe("GET /webhooks/{webhookId}/events", () => {
  const database = useDatabase();
  let api: PullApi;
  let reader: Awaited<ReturnType<typeof aPullingReader>>;
  before(async () => {
    api = await startPullApi(database.db);
  });
  beforeEach(async () => {
    reader = await aPullingReader(database.db, api);
  });
  after(() => api.close());

  const add = (bodies: readonly string[]): Promise<void> =>
    addDeliveries(database.db, { enterpriseId: reader.caller.enterpriseId, id: reader.id }, bodies);
  const get = (query = ""): Promise<ApiAnswer> =>
    api.get(reader.caller, `/webhooks/${reader.id}/events${query}`);
  const pulledTo = async (): Promise<number> => {
    const [row] = await rowsOf<{ pulled_to: number }>(
      database.db,
      "SELECT pulled_to FROM subscription_health WHERE subscription_id = ?",
      [reader.id],
    );
    return row?.pulled_to ?? -1;
  };

  it("returns the exact text of each event, in order of sequences", async () => {
    const bodies = numbered(3);
    await add(bodies);
    const { status, body } = await get();
    expect(status).to.equal(200);
    const [first] = body["data"];
    expect(body["data"].map((event: { body: string }) => event.body)).to.deep.equal(bodies);
    expect(first["time"]).to.match(timestamp);
    expect(first["event_id"]).to.match(/^evt_/);
    expect(first).to.deep.equal({
      sequence: 1,
      cursor: first["cursor"],
      event_id: first["event_id"],
      webhook_id: first["event_id"],
      object: "ticket",
      event: "update",
      event_type: null,
      object_id: 1,
      time: first["time"],
      body: bodies[0],
      expunged: false,
      replay: false,
      state: "available",
      attempt_count: 0,
    });
    expect(body["has_more"]).to.equal(false);
    expect(body["skipped"]).to.deep.equal([]);
  });

  it("continues after the cursor of a page or of a single event", async () => {
    await add(numbered(5));
    const one = await get("?limit=2");
    expect([sequencesOf(one), one.body["has_more"]]).to.deep.equal([[1, 2], true]);
    const two = await get(`?limit=2&after=${one.body["next"]}`);
    expect([sequencesOf(two), two.body["has_more"]]).to.deep.equal([[3, 4], true]);
    const three = await get(`?after=${two.body["data"][0]["cursor"]}`);
    expect([sequencesOf(three), three.body["has_more"]]).to.deep.equal([[4, 5], false]);
    const end = await get(`?after=${three.body["next"]}`);
    expect([sequencesOf(end), end.body["next"]]).to.deep.equal([[], three.body["next"]]);
  });

  it("refuses invalid cursors, those of another webhook, and those in the future", async () => {
    await add(numbered(1));
    const other = await aPullingReader(database.db, api);
    const foreign = await api.get(other.caller, `/webhooks/${other.id}/events`);
    const ahead = Buffer.from(`${reader.id}.9`).toString("base64url");
    for (const [after, reason] of [
      ["nonsense", "format"],
      [foreign.body["next"], "unknown"],
      [ahead, "range"],
    ]) {
      const { status, body } = await get(`?after=${after}`);
      expect([status, body["errors"]], after).to.deep.equal([400, [{ field: "after", reason }]]);
    }
    for (const limit of ["0", "1001"]) {
      expect((await get(`?limit=${limit}`)).status).to.equal(400);
    }
    expect((await get("?wait=26")).status).to.equal(400);
  });

  it("reports deleted sequences at any position, and continues after them", async () => {
    await add(numbered(9));
    const start = Buffer.from(`${reader.id}.0`).toString("base64url");
    await rowsOf(
      database.db,
      "DELETE FROM deliveries WHERE subscription_id = ? AND sequence IN (1, 2, 5, 8, 9)",
      [reader.id],
    );
    const known = await get(`?after=${start}`);
    expect(sequencesOf(known)).to.deep.equal([3, 4, 6, 7]);
    expect(known.body["skipped"]).to.deep.equal([
      { from: 1, to: 2 },
      { from: 5, to: 5 },
      { from: 8, to: 9 },
    ]);
    const end = await get(`?after=${known.body["next"]}`);
    expect([sequencesOf(end), end.body["skipped"]]).to.deep.equal([[], []]);
    const limited = await get(`?limit=2&after=${start}`);
    expect(limited.body["skipped"]).to.deep.equal([{ from: 1, to: 2 }]);
    expect(limited.body["has_more"]).to.equal(true);
    // A reader without a cursor has no position, so there is no gap before the first event.
    expect((await get("?limit=1")).body["skipped"]).to.deep.equal([]);
  });

  it("shows that the content was removed, and keeps the event's position", async () => {
    await add(numbered(3));
    await rowsOf(
      database.db,
      "UPDATE events SET body = '', expunged_at = now() WHERE enterprise_id = ? AND object_id = '2'",
      [reader.caller.enterpriseId],
    );
    await rowsOf(database.db, "DELETE FROM events WHERE enterprise_id = ? AND object_id = '3'", [
      reader.caller.enterpriseId,
    ]);
    const { body } = await get();
    const shown = body["data"].map((event: Record<string, unknown>) => [
      event["sequence"],
      event["body"] === null,
      event["expunged"],
      event["event_id"] === null,
    ]);
    expect(shown).to.deep.equal([
      [1, false, false, false],
      [2, true, true, false],
      [3, true, true, true],
    ]);
  });

  it("ends a page early if its bodies are large, and omits nothing", async () => {
    const large = "x".repeat(3 * 1024 * 1024);
    await add([large, large, large, "{}"]);
    const one = await get();
    expect([sequencesOf(one), one.body["has_more"]]).to.deep.equal([[1, 2], true]);
    expect(one.body["skipped"]).to.deep.equal([]);
    const two = await get(`?after=${one.body["next"]}`);
    expect([sequencesOf(two), two.body["has_more"]]).to.deep.equal([[3, 4], false]);
  });

  it("waits for the next event, and returns it immediately", async () => {
    await add(numbered(1));
    const { body } = await get();
    const startedMs = performance.now();
    const waiting = get(`?wait=20&after=${body["next"]}`);
    await add(["{}"]);
    expect(sequencesOf(await waiting)).to.deep.equal([2]);
    expect(performance.now() - startedMs).to.be.below(promised(5_000));
  });

  it("returns an empty page after the wait, or when the process stops", async () => {
    const over = await get("?wait=1");
    expect([over.status, sequencesOf(over)]).to.deep.equal([200, []]);
    const stopped = await startPullApi(database.db);
    stopped.admit(reader.caller);
    await add(numbered(1));
    const { body } = await get();
    const startedMs = performance.now();
    const path = `/webhooks/${reader.id}/events?wait=25&after=${body["next"]}`;
    const waiting = stopped.get(reader.caller, path);
    await eventually(async () => (await pulledTo()) === 1); // the request is waiting
    stopped.stop();
    expect((await waiting).status).to.equal(200);
    expect(performance.now() - startedMs).to.be.below(promised(5_000));
    await stopped.close();
  });

  it("stores the acknowledged position, never backwards, and not for other reads", async () => {
    await add(numbered(4));
    const page = await get("?limit=3");
    expect(await pulledTo()).to.equal(0);
    await get(`?after=${page.body["next"]}`);
    expect(await pulledTo()).to.equal(3);
    await get(`?after=${page.body["data"][0]["cursor"]}`);
    expect(await pulledTo()).to.equal(3);
  });

  it("stores nothing for a browser session, so that a link cannot acknowledge events", async () => {
    await add(numbered(3));
    const { body } = await get();
    const browser = { ...reader.caller, token: "ofabrowser", sessionId: 1 };
    api.admit(browser);
    const path = `/webhooks/${reader.id}/events`;
    const page = await api.get(browser, `${path}?after=${body["next"]}`);
    expect(page.status).to.equal(200);
    const stream = await api.open(browser, `${path}/stream?after=${body["next"]}`);
    expect(stream.status).to.equal(200);
    await stream.body?.cancel();
    expect(await pulledTo()).to.equal(0);
  });

  it("does not wait for a row that the relay has locked", async () => {
    await add(numbered(1));
    const { body } = await get();
    await database.db.transaction(async (trx) => {
      await rowsOf(trx, "SELECT 1 FROM subscription_health WHERE subscription_id = ? FOR UPDATE", [
        reader.id,
      ]);
      expect((await get(`?after=${body["next"]}`)).status).to.equal(200);
    });
    expect(await pulledTo()).to.equal(0);
    await get(`?after=${body["next"]}`);
    expect(await pulledTo()).to.equal(1);
  });

  it("returns 404 to other enterprises and 403 without the permission", async () => {
    const stranger = await aPullingReader(database.db, api);
    const path = `/webhooks/${reader.id}/events`;
    expect((await api.get(stranger.caller, path)).status).to.equal(404);
    expect((await api.get(stranger.caller, `${path}/stream`)).status).to.equal(404);
    const agent = await aCaller(database.db, "agent", reader.caller.enterpriseId);
    api.admit(agent);
    expect((await api.get(agent, path)).status).to.equal(403);
  });
});
