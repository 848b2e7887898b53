/** The receiver, the generator and the bare loop, and the event numbers of a whole run. */
import { rowsOf } from "../../src/platform/db/pool.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import type { GeneratorCommands } from "../processes/generator.ts";
import type { LoopCommands } from "../processes/loop.ts";
import type { ReceiverCommands } from "../processes/receiver.ts";
import type { Child } from "./children.ts";
import { remoteOf, type Remote } from "./commands.ts";
import { stopRoles, type Roles, type RoleOptions, type Stack, startRoles } from "./stack.ts";
import { subscribe } from "./subscriptions.ts";

export type Arrivals = { firstAt: Float64Array; times: Uint8Array };

/** Enterprises with their subscriptions, a generator, and the expected events. */
export type Line = {
  /** Number of subscriptions per enterprise. */
  readonly subscriptions: number;
  readonly enterpriseIds: readonly number[];
  readonly generator: Remote<GeneratorCommands>;
  readonly generatorPid: number;
  /** Announces the next events and returns the number of the first. */
  expect(events: number): Promise<number>;
  close(): Promise<void>;
};

export type Rig = {
  readonly stack: Stack;
  readonly receiver: Remote<ReceiverCommands>;
  readonly receiverPid: number;
  readonly receiverUrl: string;
  readonly loop: Remote<LoopCommands>;
  readonly loopPid: number;
  openLine(subscriptions: number): Promise<Line>;
  /** Enterprises with one subscription each; tenant `n` of the receiver belongs to the n-th. */
  openTenants(count: number): Promise<Line>;
  /** Starts the roles, or returns those running with the same options. */
  useRoles(options: RoleOptions): Promise<Roles>;
  stopRoles(): Promise<void>;
  /** Checks ignore deliveries up to this id: they have ended or are not part of the measurement. */
  settledUpTo: number;
};

function startCommanded(stack: Stack, name: string): Child {
  return stack.children.startNode({ name, file: `bench/processes/${name}.ts`, hasChannel: true });
}

export async function createRig(stack: Stack): Promise<Rig> {
  const receiverChild = startCommanded(stack, "receiver");
  const receiver = remoteOf<ReceiverCommands>(receiverChild);
  const receiverUrl = `http://127.0.0.1:${await receiver("listen")}`;
  const loopChild = startCommanded(stack, "loop");
  const loop = remoteOf<LoopCommands>(loopChild);
  let running: { roles: Roles; key: string } | undefined;
  let nextEvent = 1;

  const endRoles = async (): Promise<void> => {
    if (running !== undefined) {
      await stopRoles(running.roles);
      running = undefined;
    }
  };

  const open = async (subscriptions: number, enterpriseIds: readonly number[]): Promise<Line> => {
    const child = startCommanded(stack, "generator");
    const generator = remoteOf<GeneratorCommands>(child);
    await generator("connect", {
      url: stack.databaseUrl,
      backend: stack.redisBackend,
      ...{ enterpriseIds, connections: 12 },
    });
    return {
      subscriptions,
      enterpriseIds,
      generator,
      generatorPid: child.pid,
      expect: async (events) => {
        const firstEvent = nextEvent;
        nextEvent += events;
        await receiver("expect", { firstEvent, events, subscriptions });
        return firstEvent;
      },
      close: () => child.stop(),
    };
  };

  return {
    stack,
    receiver,
    receiverPid: receiverChild.pid,
    receiverUrl,
    loop,
    loopPid: loopChild.pid,
    openLine: async (subscriptions) => {
      const urls = Array.from({ length: subscriptions }, (_, i) => `${receiverUrl}/hook/${i}`);
      return open(subscriptions, [await subscribe(stack, urls)]);
    },
    openTenants: async (count) => {
      const ids: number[] = [];
      for (let tenant = 0; tenant < count; tenant += 1) {
        ids.push(await subscribe(stack, [`${receiverUrl}/hook/0/${tenant}`]));
      }
      return open(1, ids);
    },
    useRoles: async (options) => {
      const key = JSON.stringify(options);
      if (running?.key !== key) {
        await endRoles();
        running = { key, roles: await startRoles(stack, options) };
      }
      return running.roles;
    },
    stopRoles: endRoles,
    settledUpTo: 0,
  };
}

const silenceMs = 20_000;
/** Long enough for a duplicate of the last request to arrive. */
const duplicateWaitMs = 400;

export type Progress = { received: number; at: number };

/** Waits for `wanted` requests; rejects if none arrives for a while. */
export async function awaitArrivals(
  { receiver }: Pick<Rig, "receiver">,
  wanted: number,
  onProgress: (progress: Progress) => void | Promise<void> = () => undefined,
): Promise<void> {
  let last = { received: -1, since: performance.now() };
  for (;;) {
    const progress = await receiver("count");
    await onProgress(progress);
    if (progress.received >= wanted) {
      return;
    }
    if (progress.received !== last.received) {
      last = { received: progress.received, since: performance.now() };
    } else if (performance.now() - last.since > silenceMs) {
      throw new Error(
        `Only ${progress.received} of ${wanted} requests came within ${silenceMs} ms`,
      );
    }
    await sleep(50);
  }
}

function countWhere(values: Uint8Array, is: (value: number) => boolean): number {
  return values.reduce((count, value) => count + (is(value) ? 1 : 0), 0);
}

/**
 * Checks that each of the first `deliveries` arrived exactly once, and that the ledger agrees. A
 * run with a lost or duplicate delivery is invalid.
 */
export async function assertExactlyOnce(rig: Rig, deliveries: number): Promise<Arrivals> {
  await awaitArrivals(rig, deliveries);
  await sleep(duplicateWaitMs);
  const { firstAt, times } = await rig.receiver("arrivals");
  const arrivals = {
    firstAt: firstAt.subarray(0, deliveries),
    times: times.subarray(0, deliveries),
  };
  const lost = countWhere(arrivals.times, (n) => n === 0);
  const doubled = countWhere(arrivals.times, (n) => n > 1);
  const strange = countWhere(times.subarray(deliveries), (n) => n > 0);
  if (lost + doubled + strange > 0) {
    throw new Error(`Of ${deliveries}: ${lost} lost, ${doubled} doubled, ${strange} never written`);
  }
  await assertSettled(rig);
  return arrivals;
}

/**
 * Waits until the ledger has no open deliveries. Reads only rows that are newer than the last
 * check, so that a long log does not slow it down.
 */
export async function assertSettled(rig: Rig): Promise<void> {
  for (let i = 0; ; i += 1) {
    const [row] = await rowsOf<{ open: number; newest: number }>(
      rig.stack.db,
      `SELECT coalesce(max(id), 0) AS newest,
         count(*) FILTER (WHERE state NOT IN ('delivered', 'cancelled'))
           + (SELECT count(*) FROM outbox) AS open
       FROM deliveries WHERE id > ?`,
      [rig.settledUpTo],
    );
    if (row?.open === 0) {
      rig.settledUpTo = Math.max(rig.settledUpTo, row.newest);
      return;
    }
    if (i === 50) {
      throw new Error(`The ledger still has ${row?.open} open deliveries`);
    }
    await sleep(100);
  }
}
