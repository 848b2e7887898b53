/**
 * In: ids of committed messages (wake-ups, from any process) and a periodic poll.
 * Out: each message once, to the sockets of this process.
 * Guarantee: no message committed while a socket is connected is missed. The poll finds messages
 * whose wake-up was lost.
 * On crash: clients reconnect to another process and request the messages after their last one.
 */
import { coalesce } from "../platform/concurrency/async.ts";
import type { TailQuery } from "./colleague-store.ts";

export type TailRow = Readonly<{ id: number; enterpriseId: number }>;

export type TailDeps<Row> = Readonly<{
  /** One page of at most 1,000 rows, by id. */
  read(query: TailQuery): Promise<Row[]>;
  /** The initial cursor: the newest id. */
  last(): Promise<number>;
  /** The enterprises of connected sockets. */
  enterprises(): readonly number[];
  /** Messages with the same key are emitted in order. */
  orderingKey(row: Row): string;
  /** Must reject before the first socket has the message, so that a retry emits no duplicate. */
  emit(row: Row): Promise<void>;
  nowMs(): number;
}>;

export type Tail = Readonly<{
  onWakeup(enterpriseId: number, id: number): void;
  /** Finds messages whose wake-up was lost. */
  poll(): Promise<void>;
  /** Resolves when the cursor is set: every later commit will be emitted. */
  ready(): Promise<void>;
}>;

const pageSize = 1_000;

export function createTail<Row extends TailRow>(deps: TailDeps<Row>): Tail {
  const { read, enterprises } = deps;
  const { enqueue, emitAll, emitPending, prune } = createEmitter(deps);
  const position = createPosition(deps);
  const { startOf } = position;
  const ready = coalesce(position.follow);
  let isPollDue = false;

  const poll = async (): Promise<void> => {
    await ready();
    const enterpriseIds = [...startOf.keys()];
    if (enterpriseIds.length === 0) {
      return;
    }
    const end = await position.begin();
    const faults: unknown[] = [];
    for (let after = position.cursor() ?? 0, isMore = true; isMore;) {
      const rows = await read({ enterpriseIds, after });
      const fresh = rows.filter(({ id, enterpriseId }) => id > (startOf.get(enterpriseId) ?? id));
      await emitAll(fresh).catch((thrown: unknown) => faults.push(thrown));
      isMore = rows.length >= pageSize;
      after = rows.at(-1)?.id ?? after;
    }
    end();
    prune(position.cursor() ?? 0);
    if (faults.length > 0) {
      throw faults[0];
    }
  };

  /** One run at a time, so that messages are emitted in order. */
  const run = coalesce(async () => {
    const isPolling = isPollDue;
    isPollDue = false;
    const pendingFault = await emitPending().then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    if (isPolling) {
      await poll();
    }
    if (pendingFault !== undefined) {
      throw pendingFault.thrown;
    }
  });

  return {
    onWakeup: (enterpriseId, id) => {
      if (enterprises().includes(enterpriseId)) {
        enqueue(id);
        // A failed message stays pending until the next run.
        void run().catch(() => undefined);
      }
    },
    poll: () => {
      isPollDue = true;
      return run();
    },
    ready,
  };
}

function createEmitter<Row extends TailRow>({
  read,
  enterprises,
  orderingKey,
  emit,
}: TailDeps<Row>) {
  const emitted = new Set<number>();
  /** Ids that wait for their first or next emit. */
  const pending = new Set<number>();

  /** A failure blocks only later messages of the same key. Throws the first fault at the end. */
  const emitAll = async (rows: readonly Row[]): Promise<void> => {
    const faults = new Map<string, unknown>();
    for (const row of rows.filter(({ id }) => !emitted.has(id))) {
      pending.add(row.id);
      const key = orderingKey(row);
      if (!faults.has(key)) {
        try {
          await emit(row);
          emitted.add(row.id);
          pending.delete(row.id);
        } catch (thrown) {
          faults.set(key, thrown);
        }
      }
    }
    if (faults.size > 0) {
      throw faults.values().next().value;
    }
  };

  return {
    enqueue: (id: number): void => {
      if (!emitted.has(id)) {
        pending.add(id);
      }
    },
    emitAll,
    emitPending: async (): Promise<void> => {
      const ids = [...pending].toSorted((a, b) => a - b).slice(0, pageSize);
      const enterpriseIds = enterprises();
      if (ids.length === 0) {
        return;
      }
      const rows = enterpriseIds.length === 0 ? [] : await read({ enterpriseIds, ids });
      const found = new Set(rows.map(({ id }) => id));
      ids.filter((id) => !found.has(id)).forEach((id) => pending.delete(id));
      await emitAll(rows);
    },
    /** Forgets emitted ids below the cursor, which no poll reads again. */
    prune: (upTo: number): void =>
      [...emitted].filter((id) => id <= upTo).forEach((id) => emitted.delete(id)),
  };
}

/**
 * Ids are assigned before the commit and may become visible out of order, for up to the statement
 * timeout (15 s).
 */
const lateMs = 30_000;

function createPosition({
  last,
  enterprises,
  nowMs,
}: Pick<TailDeps<TailRow>, "last" | "enterprises" | "nowMs">) {
  /**
   * Everything up to this id was emitted, is pending, or belongs to other enterprises. Undefined
   * without connected clients.
   */
  let cursor: number | undefined;
  /** The newest id at a time; 30 s later all lower ids are visible. */
  let mark: { atMs: number; newest: number } | undefined;
  /** By enterprise, the newest id at its first connection: older messages are not emitted. */
  const startOf = new Map<number, number>();

  return {
    cursor: () => cursor,
    startOf,
    follow: async (): Promise<void> => {
      const watched = enterprises();
      [...startOf.keys()]
        .filter((id) => !watched.includes(id))
        .forEach((gone) => startOf.delete(gone));
      const fresh = watched.filter((id) => !startOf.has(id));
      if (watched.length === 0) {
        cursor = undefined;
        mark = undefined;
      } else if (fresh.length > 0) {
        const newest = await last();
        cursor ??= newest;
        fresh.forEach((id) => startOf.set(id, newest));
      }
    },
    /** Called before a poll reads. Out: a function to call after it has read everything. */
    begin: async (): Promise<() => void> => {
      const beganMs = nowMs();
      const known = (mark ??= { atMs: beganMs, newest: await last() });
      return () => {
        if (known.atMs <= beganMs - lateMs) {
          cursor = known.newest;
          mark = undefined;
        }
      };
    },
  };
}
