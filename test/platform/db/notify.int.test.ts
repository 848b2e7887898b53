import { expect } from "chai";
import type { Knex } from "knex";
import pg from "pg";
import {
  createNotifier,
  notifyOn,
  startListener,
  usualChecks,
  type Listener,
  type Notify,
  type SilenceChecks,
  type WakeTopic,
} from "../../../src/platform/db/notify.ts";
import { connectionOptions } from "../../../src/platform/db/connection.ts";
import { sharedRowsOf } from "../../../src/platform/db/prepared.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { promised } from "../../support/promised.ts";
import { createTcpProxy, throughProxy, type TcpProxy } from "../../support/tcp-proxy.ts";

describe("wake-ups", () => {
  const database = useDatabase();
  const log = createLogger("fatal", "test");

  /** The database, whose first statement waits for a signal. */
  const slowNotify = () => {
    let go = (): void => {};
    let asked = 0;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const notify: Notify = async (topic, payloads) => {
      asked += 1;
      await (asked === 1 ? gate : undefined);
      return notifyOn(database.db)(topic, payloads);
    };
    return { notify, go: () => go(), asked: () => asked };
  };

  it("of one topic arrive in order, each word once", async () => {
    const { notify, go, asked } = slowNotify();
    const heard: string[] = [];
    const options = connectionOptions({ url: database.url, name: "test" });
    const listener = startListener(options, log);
    let isListening = false;
    listener.on("signalling", (words) => {
      isListening = true;
      heard.push(...words);
    });
    await eventually(() => isListening);
    const notifier = createNotifier(notify, log);
    notifier.wake("signalling", "chat:1:10");
    await eventually(() => asked() === 1);
    notifier.wake("signalling", "chat:1:11");
    notifier.wake("signalling", "chat:1:11");
    notifier.wake("outbox");
    await eventually(() => asked() === 2); // another topic is not delayed
    go();
    await eventually(() => heard.length >= 2);
    expect(heard).to.deep.equal(["chat:1:10", "chat:1:11"]);
    await listener.close();
  });

  it("do not hold up reads by key: none shares their connection", async () => {
    const { db } = database;
    const pool = db.client as Pick<Knex.Client, "acquireConnection" | "releaseConnection">;
    const free = await Promise.all([1, 2].map(() => pool.acquireConnection()));
    await Promise.all(free.map((connection) => pool.releaseConnection(connection)));
    const client = new pg.Client(connectionOptions({ url: database.url, name: "pids" }));
    const senders: number[] = [];
    client.on("notification", ({ processId }) => senders.push(processId));
    await client.connect();
    try {
      await client.query("LISTEN sightline_tasks");
      const [, [reader]] = await Promise.all([
        notifyOn(db)("tasks", [""]),
        sharedRowsOf<{ pid: number }>(db, "SELECT pg_backend_pid() AS pid", []),
      ]);
      await eventually(() => expect(senders).to.have.length(1));
      expect(senders).not.to.include(reader?.pid);
    } finally {
      await client.end();
    }
  });

  it("leave before the turn of the event loop ends, those of one commit together", async () => {
    const sent: (readonly string[])[] = [];
    const notifier = createNotifier(async (_topic, payloads) => sent.push(payloads), log);
    notifier.wake("outbox", "a");
    notifier.wake("outbox", "b");
    await new Promise<void>((resolve) => {
      process.nextTick(resolve); // after all microtasks
    });
    expect(sent).to.deep.equal([["a b"]]);
  });

  it("reach only listeners of their topic, even after a lost connection", async () => {
    const options = connectionOptions({ url: database.url, name: "topics" });
    const listener = startListener(options, log);
    const heard: string[] = [];
    listener.on("outbox", () => heard.push("outbox"));
    await eventually(() => heard.length === 1);
    listener.on("tasks", () => heard.push("tasks"));
    await eventually(() => heard.length === 2);
    const notifier = createNotifier(notifyOn(database.db), log);
    notifier.wake("schedule");
    notifier.wake("tasks");
    await eventually(() => heard.length === 3);
    expect(heard).to.deep.equal(["outbox", "tasks", "tasks"]);
    await database.db.raw(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'sightline topics'`,
    );
    await eventually(() => !listener.isListening("outbox"), { everyMs: 1 });
    await eventually(() => heard.length === 5);
    expect(heard.slice(3)).to.have.members(["outbox", "tasks"]);
    expect(listener.isListening("outbox")).to.equal(true);
    expect(listener.isListening("signalling")).to.equal(false); // nothing has subscribed to it
    notifier.wake("tasks");
    await eventually(() => heard.length === 6);
    await listener.close();
  });

  /** A listener through a proxy, which records what it hears. */
  const withListenerBehindProxy = async (
    checks: SilenceChecks,
    work: (proxy: TcpProxy, listener: Listener, heard: string[]) => Promise<void>,
  ): Promise<void> => {
    const proxy = createTcpProxy(await freePort(), Number(new URL(database.url).port));
    await proxy.open();
    const options = connectionOptions({ url: throughProxy(database.url, proxy), name: "silent" });
    const listener = startListener(options, log, checks);
    const heard: string[] = [];
    listener.on("outbox", (words) => heard.push(words.join(" ")));
    try {
      await eventually(() => listener.isListening("outbox"));
      await work(proxy, listener, heard);
    } finally {
      await listener.close();
      await proxy.close();
    }
  };

  it("arrive again soon after the connection has fallen silent, without being closed", async () => {
    const checks = { askEveryMs: 100, answerMs: 2_000 };
    await withListenerBehindProxy(checks, async (proxy, listener, heard) => {
      const { wake } = createNotifier(notifyOn(database.db), log);
      proxy.fallSilent();
      wake("outbox", "lost");
      const before = heard.length;
      await eventually(() => heard.length > before, { timeoutMs: 20_000 }); // it has reconnected
      wake("outbox", "heard");
      await eventually(() => expect(heard).to.include("heard"));
      expect(heard).not.to.include("lost");
      expect(listener.isListening("outbox")).to.equal(true);
    });
  });

  it("do not keep a process from stopping if the connection has fallen silent", async () => {
    await withListenerBehindProxy(usualChecks, async (proxy, listener) => {
      proxy.fallSilent();
      const startedAt = performance.now();
      await listener.close();
      expect(performance.now() - startedAt).to.be.below(promised(5_000));
    });
  });

  /** Records the statements of a topic with their start times; none resolves before `answer`. */
  const recordingNotify = (answer: (count: number) => Promise<void>) => {
    const sent: { topic: WakeTopic; payloads: readonly string[]; atMs: number }[] = [];
    const notify: Notify = async (topic, payloads) => {
      sent.push({ topic, payloads, atMs: performance.now() });
      await answer(sent.length);
    };
    return { notify, sent };
  };

  it("are sent once per five milliseconds, in one statement", async () => {
    const { notify, sent } = recordingNotify(async (count) => {
      if (count < 10) {
        notifier.wake("outbox");
      }
    });
    const notifier = createNotifier(notify, log);
    notifier.wake("outbox");
    await eventually(() => sent.length === 10);
    const [first, tenth] = [sent[0]?.atMs ?? 0, sent[9]?.atMs ?? 0];
    // A timer counts from the start of its event loop turn, which may be earlier.
    expect(tenth - first).to.be.above(9 * 2);
    const many = recordingNotify(async () => undefined);
    const words = Array.from({ length: 250 }, (_, index) => `chat:1:${index}`);
    const busy = createNotifier(many.notify, log);
    words.forEach((word) => busy.wake("signalling", word));
    await eventually(() => many.sent.length > 0);
    const [{ payloads } = { payloads: [] }] = many.sent;
    expect(payloads.map((payload) => payload.split(" ").length)).to.deep.equal([80, 80, 80, 10]);
    expect(payloads.flatMap((payload) => payload.split(" "))).to.deep.equal(words);
  });

  it("wait for the rest of the five milliseconds after a single one, but start no timer before", async () => {
    const { notify, sent } = recordingNotify(async () => undefined);
    const notifier = createNotifier(notify, log);
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    // Other parts of the process start and end timers, too.
    await eventually(async () => {
      const before = { sent: sent.length, timers: timers() };
      notifier.wake("outbox");
      await new Promise(setImmediate);
      expect({ sent: sent.length - 1, timers: timers() }).to.deep.equal(before);
    });
    const first = sent.length - 1;
    for (const later of [1, 2]) {
      notifier.wake("outbox");
      await eventually(() => expect(sent).to.have.length(first + later + 1), { everyMs: 1 });
    }
    expect((sent[first + 2]?.atMs ?? 0) - (sent[first]?.atMs ?? 0)).to.be.above(2 * 2);
  });

  it("follow immediately after a slow statement", async () => {
    let go = (): void => undefined;
    const { notify, sent } = recordingNotify((count) =>
      count === 1 ? new Promise((resolve) => (go = resolve)) : Promise.resolve(),
    );
    const notifier = createNotifier(notify, log);
    notifier.wake("tasks");
    await eventually(() => sent.length === 1);
    notifier.wake("tasks", "7");
    const longAtMs = performance.now() + 20;
    await eventually(() => performance.now() > longAtMs);
    go();
    await new Promise(setImmediate);
    expect(sent.map(({ topic, payloads }) => [topic, ...payloads])).to.deep.equal([
      ["tasks", ""],
      ["tasks", "7"],
    ]);
  });
});
