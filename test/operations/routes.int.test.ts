import { expect } from "chai";
import { platformOperations } from "../../src/compose/operations.ts";
import type { Caller } from "../../src/http/route.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { openJobQueue, openQueue, type QueueBackend } from "../../src/platform/queue/job-queue.ts";
import { openWorker, startJobWorkers } from "../../src/platform/queue/job-workers.ts";
import { openRedis } from "../../src/platform/queue/redis.ts";
import { backendOf, onBackend } from "../support/backends.ts";
import { serveCallers, type ApiAnswer, type CallersApi } from "../support/callers-api.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { anEnterprise, anEvent } from "../support/factories.ts";
import { useRedis } from "../support/redis.ts";
import { aCaller } from "../support/webhook-api.ts";

const log = createLogger("silent", "test");

type Row = { queue: string; waiting: number | null; oldest_waiting_seconds: number | null };

onBackend("redis", (kind) => {
  describe("GET /platform/queues and /platform/health", () => {
    const database = useDatabase();
    const redis = useRedis();
    let superadmin: Caller;
    let closers: (() => Promise<void>)[];
    beforeEach(async () => {
      closers = [];
      superadmin = await aCaller(database.db, "superadmin");
    });
    afterEach(async () => {
      for (const close of closers.toReversed()) {
        await close();
      }
    });

    const serve = async (backend: QueueBackend): Promise<CallersApi> => {
      const lifecycle = {
        signal: new AbortController().signal,
        onStop: (_name: string, stop: StopPart) => void closers.push(() => stop(5_000)),
      };
      const { db } = database;
      const routes = platformOperations({ db, backend, log, clock: systemClock, lifecycle });
      const api = await serveCallers(routes);
      closers.push(() => api.close());
      return api;
    };
    const open = () => serve(backendOf(kind, database, redis));
    const get = (api: CallersApi, what: "queues" | "health"): Promise<ApiAnswer> =>
      api.as(superadmin)("GET", `/platform/${what}`);
    const objectOf = ({ body }: ApiAnswer, object: string): Record<string, unknown> =>
      body["deliveries"].find((one: { object: string }) => one.object === object);
    const partOf = ({ body }: ApiAnswer, part: string): Record<string, unknown> =>
      body["parts"].find((one: { part: string }) => one.part === part);

    it("shows the waiting jobs of each queue, since when, and its workers", async () => {
      const queue = openJobQueue(backendOf(kind, database, redis), log);
      closers.push(() => queue.close());
      const at = new Date(Date.now() - 45_000);
      await queue.add("media", [{ deliveryId: 1, generation: 1 }], at);
      const api = await open();
      const before = await get(api, "queues");
      expect(before.status).to.equal(200);
      expect(before.body).to.deep.include({ backend: kind, queues_unreachable_since: null });
      expect(objectOf(before, "media")).to.deep.include({
        ...{
          queue: "deliver.media",
          reachable: true,
          waiting: 1,
          active: 0,
          failed: 0,
          workers: 0,
        },
      });
      expect(objectOf(before, "media")["oldest_waiting_seconds"]).to.be.within(44, 60);
      expect(partOf(await get(api, "health"), "delivery")).to.deep.include({
        ...{ state: "down", code: "no_workers", runbook: "docs/runbook.md#process-down" },
      });
      const workers = startJobWorkers({
        backend: backendOf(kind, database, redis),
        ...{ concurrency: 1, log, handle: async () => undefined },
      });
      closers.push(() => workers.close(1_000));
      await eventually(
        async () => {
          const after = objectOf(await get(api, "queues"), "media");
          expect(after).to.deep.include({ waiting: 0, workers: 1, oldest_waiting_seconds: null });
        },
        { timeoutMs: 10_000 },
      );
    });

    /** Four failed jobs, one active, three waiting, two delayed. */
    const fillQueue = async (name: string): Promise<void> => {
      const backend = backendOf(kind, database, redis);
      const client = backend.kind === "postgres" ? undefined : openRedis(backend);
      closers.push(async () => client?.disconnect());
      const { queue, close } = openQueue(backend, name, { redis: client, maxConnections: 2 });
      closers.push(close, () => queue.obliterate({ force: true }));
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const limits = { concurrency: 1, maxConnections: 4 };
      const { worker, disconnect } = openWorker(backend, name, limits, async ({ data }) => {
        if (data.fails) {
          throw new Error("This job fails");
        }
        await finished;
      });
      worker.on("error", () => undefined);
      closers.push(async () => {
        finish();
        await worker.close();
        disconnect();
      });
      const add = async (count: number, data: object, options: object = {}): Promise<void> => {
        await queue.addBulk(
          Array.from({ length: count }, () => ({ name: "job", data, opts: options })),
        );
      };
      await add(2, {}, { delay: 600_000 });
      await add(4, { fails: true }, { attempts: 1 });
      await worker.waitUntilReady();
      void worker.run();
      await eventually(async () => (await queue.getFailedCount()) === 4, { timeoutMs: 10_000 });
      await add(1, {});
      await eventually(async () => (await queue.getActiveCount()) === 1, { timeoutMs: 10_000 });
      await add(3, {}, { timestamp: Date.now() - 90_000 });
    };

    it("counts the jobs of each queue by state", async () => {
      await fillQueue("deliver.media");
      await fillQueue("task.messages");
      const answer = await get(await open(), "queues");
      const filled = { reachable: true, waiting: 3, active: 1, delayed: 2, failed: 4, workers: 1 };
      const rows = [...answer.body["deliveries"], ...answer.body["queues"]] as Row[];
      for (const row of rows) {
        const isFilled = ["deliver.media", "task.messages"].includes(row.queue);
        const empty = { reachable: true, waiting: 0, active: 0, delayed: 0, failed: 0, workers: 0 };
        expect(row, row.queue).to.deep.include(isFilled ? filled : empty);
        if (isFilled) {
          expect(row.oldest_waiting_seconds, row.queue).to.be.within(89, 120);
        } else {
          expect(row.oldest_waiting_seconds, row.queue).to.equal(null);
        }
      }
      expect(rows.filter(({ waiting }) => waiting === 3)).to.have.length(2);
    });

    it("shows the rates of each queue and their minute", async () => {
      const until = new Date(Math.floor(Date.now() / 10_000) * 10_000 - 10_000);
      await rowsOf(database.db, "UPDATE delivery_tally_progress SET tallied_at = ?", [
        new Date(until.getTime() + 12_000),
      ]);
      await rowsOf(
        database.db,
        `INSERT INTO queue_tallies (at, object, made, delivered, failed)
         VALUES (?, 'ticket', 600, 540, 12), (?, 'media', 3, 0, 0), (?, 'ticket', 999, 999, 999)`,
        [new Date(until.getTime() - 10_000), new Date(until.getTime() - 60_000), until],
      );
      const answer = await get(await open(), "queues");
      expect(answer.body["rates"]["seconds"]).to.equal(60);
      expect(new Date(answer.body["rates"]["until"])).to.deep.equal(until);
      expect(answer.body["rates"]["until_seconds_ago"]).to.be.within(10, 40);
      expect(objectOf(answer, "ticket")).to.deep.include({
        ...{ incoming_per_second: 10, delivered_per_second: 9, failed_per_second: 0.2 },
      });
      expect(objectOf(answer, "media")).to.deep.include({
        ...{ incoming_per_second: 0.05, delivered_per_second: 0, failed_per_second: 0 },
      });
      expect(objectOf(answer, "smsmessage")["incoming_per_second"]).to.equal(0);
      expect(answer.body["pipeline"]).to.deep.include({
        ...{ attempts_per_second: 9.2, failed_per_second: 0.2 },
      });
    });

    it("shows why events are dead letters, and since when", async () => {
      await rowsOf(
        database.db,
        `INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason, failed_at)
         VALUES (900001, now(), 1, 'no such object', now() - interval '5 minutes'),
           (900002, now(), 1, 'body is no JSON', now())`,
      );
      const health = await get(await open(), "health");
      expect(partOf(health, "relay")).to.deep.include({
        ...{
          state: "failing",
          code: "dead_letters",
          old_code: "events_set_aside",
          number: 2,
          detail: "body is no JSON",
        },
      });
      const since = new Date(String(partOf(health, "relay")["since"]));
      expect(Date.now() - since.getTime()).to.be.within(299_000, 330_000);
      await rowsOf(database.db, "DELETE FROM outbox_dead");
    });

    it("shows which part is slow, and since when", async () => {
      const { id } = await anEnterprise(database.db);
      const event = await anEvent(database.db, { enterprise_id: id });
      await rowsOf(
        database.db,
        "UPDATE outbox SET occurred_at = now() - interval '20 seconds' WHERE event_row_id = ?",
        [event.id],
      );
      await rowsOf(
        database.db,
        `INSERT INTO schedule_passes (name, every_ms, ran_at, took_ms)
         VALUES ('due', 250, now() - interval '45 seconds', 4)`,
      );
      const api = await open();
      const { body } = await get(api, "queues");
      expect(body["relay"]).to.deep.include({ outbox: 1, dead_letters: 0, set_aside: 0 });
      expect(body["schedule"][0]).to.deep.include({ name: "due", took_ms: 4, reason: null });
      const health = await get(api, "health");
      expect(health.body["state"]).to.equal("down");
      expect(partOf(health, "relay")).to.deep.include({ state: "slow", code: "outbox_old" });
      expect(partOf(health, "relay")["since"]).to.be.a("string");
      expect(partOf(health, "relay")["number"]).to.be.within(20, 40);
      expect(partOf(health, "schedule")).to.deep.include({
        ...{ state: "slow", code: "schedule_stopped" },
      });
    });

    it("counts tasks of a queue by result", async () => {
      const { id } = await anEnterprise(database.db);
      await rowsOf(
        database.db,
        `INSERT INTO tasks (queue, kind, key, enterprise_id, state, due_at, ended_at)
         SELECT 'messages', 'message.send', 'k' || n, ?, s, now() - interval '2 minutes',
           CASE WHEN s IN ('done', 'failed') THEN now() END
         FROM unnest('{waiting,waiting,failed,done,done,done}'::text[])
           WITH ORDINALITY AS t(s, n)`,
        [id],
      );
      const api = await open();
      const { body } = await get(api, "queues");
      const queue = body["queues"].find((one: { kind: string }) => one.kind === "messages");
      expect(body["lanes"], "the old name").to.deep.equal(body["queues"]);
      expect(queue["lane"], "the old name").to.equal("messages");
      expect(queue["tasks"]).to.deep.include({
        ...{ waiting: 2, due: 2, failed: 1, done_last_minute: 3 },
      });
      expect(queue["tasks"]["oldest_due_seconds"]).to.be.within(119, 140);
    });

    it("is for superadmins alone", async () => {
      const api = await open();
      const admin = await aCaller(database.db, "admin");
      expect((await api.as(admin)("GET", "/platform/queues")).status).to.equal(403);
      expect((await api.as(admin)("GET", "/platform/health")).status).to.equal(403);
    });

    if (kind === "redis") {
      it("shows unreadable queues as such, and all other parts", async () => {
        const api = await serve({ kind, url: "redis://127.0.0.1:1", namespace: "away" });
        const { status, body } = await get(api, "queues");
        expect(status).to.equal(200);
        expect(body["queues_unreachable_since"]).to.be.a("string");
        expect(body["queues_away_since"]).to.equal(body["queues_unreachable_since"]);
        expect(body["deliveries"][0]).to.deep.include({ reachable: false, waiting: null });
        expect(body["relay"]).to.have.keys("outbox", "oldest_seconds", "dead_letters", "set_aside");
        expect(partOf(await get(api, "health"), "queue")).to.deep.include({
          ...{ state: "down", code: "queue_unreachable" },
        });
      });
    }
  });
});
