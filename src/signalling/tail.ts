/**
 * In: ids of messages that were just committed, from whichever process; and a look at the table
 * every few seconds.
 * Out: each message once, to the sockets of this process.
 * Guarantee: nothing that is committed while somebody is connected is missed. Hints may be lost, by
 * a listener that reconnects or a process that dies after its commit: the look finds those.
 * On crash: clients connect to another process and ask for what they have not seen.
 */
import { coalesce } from "../platform/concurrency/mutex.ts";
import type { TailQuery } from "./colleague-store.ts";

export type TailRow = Readonly<{ id: number; enterpriseId: number }>;

export type TailDeps<Row> = Readonly<{
  /** At most 1,000 of them, by id. */
  read(ask: TailQuery): Promise<Row[]>;
  /** The newest id there is. */
  last(): Promise<number>;
  /** The enterprises of which somebody is connected here. */
  enterprises(): readonly number[];
  /** What a message belongs to: in there, one is told after the other. */
  orderingKey(row: Row): string;
  /** Where it rejects it has told nobody. */
  emit(row: Row): Promise<void>;
  nowMs(): number;
}>;

export type Tail = Readonly<{
  hint(enterpriseId: number, id: number): void;
  /** Reads what no hint told of. */
  poll(): Promise<void>;
  /** Resolves when nothing that commits from now on will be missed. */
  ready(): Promise<void>;
}>;

const pageSize = 1_000;

export function createTail<Row extends TailRow>(deps: TailDeps<Row>): Tail {
  const { read, enterprises } = deps;
  const { owe, tell, tellOwed, forget } = createEmitter(deps);
  const position = createPosition(deps);
  const { startOf } = position;
  const ready = coalesce(position.follow);
  let isLookDue = false;

  const look = async (): Promise<void> => {
    await ready();
    const enterpriseIds = [...startOf.keys()];
    if (enterpriseIds.length === 0) {
      return;
    }
    const end = await position.begin();
    const faults: unknown[] = [];
    for (let after = position.cursor() ?? 0, isMore = true; isMore;) {
      const rows = await read({ enterpriseIds, after });
      const since = rows.filter(({ id, enterpriseId }) => id > (startOf.get(enterpriseId) ?? id));
      await tell(since).catch((thrown: unknown) => faults.push(thrown));
      isMore = rows.length >= pageSize;
      after = rows.at(-1)?.id ?? after;
    }
    end();
    forget(position.cursor() ?? 0);
    if (faults.length > 0) {
      throw faults[0];
    }
  };

  /** One after the other, so that what was written first is told first. */
  const run = coalesce(async () => {
    const isLooking = isLookDue;
    isLookDue = false;
    const owing = await tellOwed().then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    if (isLooking) {
      await look();
    }
    if (owing !== undefined) {
      throw owing.thrown;
    }
  });

  return {
    hint: (enterpriseId, id) => {
      if (enterprises().includes(enterpriseId)) {
        owe(id);
        // What fails here is owed until the next run.
        void run().catch(() => undefined);
      }
    },
    poll: () => {
      isLookDue = true;
      return run();
    },
    ready,
  };
}

/** Tells what was not told, each once. */
function createEmitter<Row extends TailRow>({
  read,
  enterprises,
  orderingKey,
  emit,
}: TailDeps<Row>) {
  const emitted = new Set<number>();
  /** Hinted, or read, and not told yet. */
  const pending = new Set<number>();

  /** What cannot be told holds up its own place alone. Throws the first fault, at the end. */
  const tell = async (rows: readonly Row[]): Promise<void> => {
    const faults = new Map<string, unknown>();
    for (const row of rows.filter(({ id }) => !emitted.has(id))) {
      pending.add(row.id);
      const place = orderingKey(row);
      if (!faults.has(place)) {
        try {
          await emit(row);
          emitted.add(row.id);
          pending.delete(row.id);
        } catch (thrown) {
          faults.set(place, thrown);
        }
      }
    }
    if (faults.size > 0) {
      throw faults.values().next().value;
    }
  };

  return {
    owe: (id: number): void => {
      if (!emitted.has(id)) {
        pending.add(id);
      }
    },
    tell,
    tellOwed: async (): Promise<void> => {
      const ids = [...pending].toSorted((a, b) => a - b).slice(0, pageSize);
      const enterpriseIds = enterprises();
      if (ids.length === 0) {
        return;
      }
      const rows = enterpriseIds.length === 0 ? [] : await read({ enterpriseIds, ids });
      const found = new Set(rows.map(({ id }) => id));
      ids.filter((id) => !found.has(id)).forEach((id) => pending.delete(id));
      await tell(rows);
    },
    /** Nothing up to this id is asked for again. */
    forget: (upTo: number): void =>
      [...emitted].filter((id) => id <= upTo).forEach((id) => emitted.delete(id)),
  };
}

/**
 * Ids are given before they are committed, so a lower one may appear after a higher one: no write
 * takes longer than its statements may (15 s).
 */
const lateMs = 30_000;

/** From where each look has to read. */
function createPosition({
  last,
  enterprises,
  nowMs,
}: Pick<TailDeps<TailRow>, "last" | "enterprises" | "nowMs">) {
  /** All up to here were told, are owed, or are none of ours. Undefined while nobody is connected. */
  let cursor: number | undefined;
  /** The newest id of a moment: what is older than it is there 30 s later. */
  let mark: { atMs: number; newest: number } | undefined;
  /** By enterprise, the newest id when somebody of it came: of before, nothing is told. */
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
    /** Before a look reads. Gives what to call when it has read everything. */
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
