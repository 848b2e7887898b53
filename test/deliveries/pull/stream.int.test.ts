import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import {
  addDeliveries,
  aPullingReader,
  readStream,
  startPullApi,
  type PullApi,
} from "../../support/pull-api.ts";
import { promised } from "../../support/promised.ts";

const times = { heartbeatMs: 150, checkMs: 200, mostMs: 60_000 };
function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `{"n":${index + 1}}`);
}

describe("GET /webhooks/{webhookId}/events/stream", () => {
  const database = useDatabase();
  let api: PullApi;
  let reader: Awaited<ReturnType<typeof aPullingReader>>;
  beforeEach(async () => {
    api = await startPullApi(database.db, { times });
    reader = await aPullingReader(database.db, api);
  });
  afterEach(() => api.close());

  const add = (bodies: readonly string[]): Promise<void> =>
    addDeliveries(database.db, { enterpriseId: reader.caller.enterpriseId, id: reader.id }, bodies);
  const open = (query = "", headers: Record<string, string> = {}): Promise<Response> =>
    api.open(reader.caller, `/webhooks/${reader.id}/events/stream${query}`, headers);
  const sequencesOf = (messages: readonly { data: string }[]): number[] =>
    messages.map(({ data }) => (JSON.parse(data) as { sequence: number }).sequence);

  it("starts with new events, in the format of a page", async () => {
    await add(numbered(2));
    const response = await open();
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.equal("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).to.equal("no");
    expect(response.headers.get("cache-control")).to.contain("no-store");
    const stream = readStream(response);
    const [ready] = await stream.has("ready", 1);
    await add(numbered(3));
    const events = await stream.has("webhook", 3);
    expect(sequencesOf(events)).to.deep.equal([3, 4, 5]);
    const page = await api.get(reader.caller, `/webhooks/${reader.id}/events?after=${ready?.id}`);
    expect(events.map(({ data }) => JSON.parse(data))).to.deep.equal(page.body["data"]);
    expect(events.map(({ id }) => id)).to.deep.equal(
      page.body["data"].map((event: { cursor: string }) => event.cursor),
    );
    await stream.leave();
  });

  it("continues after the Last-Event-ID, which takes precedence over the query", async () => {
    await add(numbered(5));
    const page = await api.get(reader.caller, `/webhooks/${reader.id}/events`);
    const [one, two, three] = page.body["data"] as { cursor: string }[];
    const first = readStream(await open(`?after=${two?.cursor}`));
    expect(sequencesOf(await first.has("webhook", 3))).to.deep.equal([3, 4, 5]);
    const again = readStream(
      await open(`?after=${one?.cursor}`, { "last-event-id": three?.cursor ?? "" }),
    );
    expect(sequencesOf(await again.has("webhook", 2))).to.deep.equal([4, 5]);
    await Promise.all([first.leave(), again.leave()]);
  });

  it("reports deleted events in their position", async () => {
    await add(numbered(6));
    await rowsOf(
      database.db,
      "DELETE FROM deliveries WHERE subscription_id = ? AND sequence IN (2, 3, 6)",
      [reader.id],
    );
    const start = Buffer.from(`${reader.id}.0`).toString("base64url");
    const stream = readStream(await open(`?after=${start}`));
    await stream.has("skipped", 2);
    const notified = stream.messages.slice(1).map(({ event, data, id }) => {
      const { sequence, from, to } = JSON.parse(data) as Record<string, number>;
      const at = Buffer.from(id ?? "", "base64url").toString();
      return [event, sequence ?? [from, to], at];
    });
    expect(notified).to.deep.equal([
      ["webhook", 1, `${reader.id}.1`],
      ["skipped", [2, 3], `${reader.id}.3`],
      ["webhook", 4, `${reader.id}.4`],
      ["webhook", 5, `${reader.id}.5`],
      ["skipped", [6, 6], `${reader.id}.6`],
    ]);
    await stream.leave();
  });

  it("sends comments while idle, so that proxies keep the connection", async () => {
    const stream = readStream(await open());
    await eventually(() => stream.comments >= 2);
    expect(stream.messages.map(({ event }) => event)).to.deep.equal(["ready"]);
    await stream.leave();
  });

  it("ends when the token is revoked, and when the webhook is deleted", async () => {
    const revoked = readStream(await open());
    await revoked.has("ready", 1);
    api.revoke(reader.caller);
    await eventually(() => revoked.isOver);
    api.admit(reader.caller);
    const deleted = readStream(await open());
    await deleted.has("ready", 1);
    await rowsOf(
      database.db,
      "UPDATE subscriptions SET is_active = false, deleted_at = now() WHERE id = ?",
      [reader.id],
    );
    await eventually(() => deleted.isOver);
  });

  it("ends at its maximum lifetime, and immediately when the process stops", async () => {
    const short = await startPullApi(database.db, { times: { ...times, mostMs: 300 } });
    short.admit(reader.caller);
    const path = `/webhooks/${reader.id}/events/stream`;
    const old = readStream(await short.open(reader.caller, path));
    await eventually(() => old.isOver);
    await short.close();
    const stream = readStream(await open());
    await stream.has("ready", 1);
    const startedMs = performance.now();
    api.stop();
    await eventually(() => stream.isOver);
    expect(performance.now() - startedMs).to.be.below(promised(1_000));
  });

  it("limits an enterprise to five streams, and reuses a freed one", async () => {
    const streams = [];
    for (let count = 0; count < 5; count += 1) {
      streams.push(readStream(await open()));
    }
    const sixth = await open();
    expect(sixth.status).to.equal(429);
    expect(Number(sixth.headers.get("retry-after"))).to.be.above(0);
    await sixth.body?.cancel();
    const stranger = await aPullingReader(database.db, api);
    const other = await api.open(stranger.caller, `/webhooks/${stranger.id}/events/stream`);
    expect(other.status).to.equal(200);
    await other.body?.cancel();
    await streams[0]?.leave();
    await eventually(async () => {
      const next = await open();
      await next.body?.cancel();
      return next.status === 200;
    });
    await Promise.all(streams.slice(1).map((stream) => stream.leave()));
  });

  it("streams a backlog larger than any buffer completely and in order", async () => {
    const body = JSON.stringify({ fill: "x".repeat(100_000) });
    await add(Array.from({ length: 120 }, () => body));
    const start = Buffer.from(`${reader.id}.0`).toString("base64url");
    const stream = readStream(await open(`?after=${start}`));
    const events = await stream.has("webhook", 120);
    expect(sequencesOf(events)).to.deep.equal(Array.from({ length: 120 }, (_, index) => index + 1));
    await stream.leave();
  }).timeout(30_000);
});
