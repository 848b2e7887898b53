/**
 * In: ids of messages that were just committed, from whichever process; and a look at the table
 * every few seconds.
 * Out: each message once, to the sockets of this process.
 * Guarantee: nothing that is committed while somebody is connected is missed. Hints may be lost, by
 * a listener that reconnects or a process that dies after its commit: the look finds those.
 * On crash: clients connect to another process and ask for what they have not seen.
 */
import { inTurn } from "./in-turn.ts";
import type { TailAsk } from "./direct-store.ts";

export type TailDeps<Row> = Readonly<{
  read(ask: TailAsk): Promise<Row[]>;
  /** The newest id there is. */
  last(): Promise<number>;
  /** The enterprises of which somebody is connected here. */
  enterprises(): readonly number[];
  /** Where it rejects it has told nobody. */
  emit(row: Row): Promise<void>;
  nowMs(): number;
}>;

export type Tail = Readonly<{
  hint(enterpriseId: number, id: number): void;
  /** Reads what no hint told of. */
  look(): Promise<void>;
  /** Resolves when nothing that commits from now on will be missed. */
  ready(): Promise<void>;
}>;

/**
 * Ids are given before they are committed, so a lower one may appear after a higher one: no write
 * takes longer than its statements may (15 s).
 */
const lateMs = 30_000;

/** Tells rows that were not told, and keeps in `told` which they are. */
const createTell =
  <Row extends { id: number }>(
    { emit, nowMs }: Pick<TailDeps<Row>, "emit" | "nowMs">,
    told: Map<number, number>,
  ) =>
  async (rows: readonly Row[]): Promise<void> => {
    for (const row of rows) {
      if (!told.has(row.id)) {
        told.set(row.id, nowMs()); // before, as a hint and a look may read the same row at once
        try {
          await emit(row);
        } catch (thrown) {
          told.delete(row.id); // nobody was told: the next look tries again
          throw thrown;
        }
      }
    }
  };

export const createTail = <Row extends { id: number }>(deps: TailDeps<Row>): Tail => {
  const { read, last, enterprises, nowMs } = deps;
  const hinted = new Set<number>();
  const told = new Map<number, number>();
  /** All up to here were told, or are none of ours. Undefined while nobody is connected. */
  let cursor: number | undefined;
  const tell = createTell(deps, told);

  const forget = (): void => {
    for (const [id, at] of told) {
      if (at < nowMs() - lateMs) {
        told.delete(id);
        cursor = Math.max(cursor ?? 0, id);
      }
    }
  };

  const tellHinted = inTurn(async () => {
    const ids = [...hinted];
    hinted.clear();
    const enterpriseIds = enterprises();
    if (ids.length > 0 && enterpriseIds.length > 0) {
      await tell(await read({ enterpriseIds, ids }));
    }
  });

  const ready = inTurn(async () => {
    cursor ??= await last();
  });

  return {
    hint: (enterpriseId, id) => {
      if (!told.has(id) && enterprises().includes(enterpriseId)) {
        hinted.add(id);
        // What fails here is found by the next look.
        void tellHinted().catch(() => undefined);
      }
    },
    look: inTurn(async () => {
      const enterpriseIds = enterprises();
      if (enterpriseIds.length === 0) {
        cursor = undefined;
        return;
      }
      await ready();
      forget();
      for (let after = cursor ?? 0; ;) {
        const rows = await read({ enterpriseIds, after });
        await tell(rows);
        const lastRow = rows.at(-1);
        if (lastRow === undefined || rows.length < 1_000) {
          return;
        }
        after = lastRow.id;
      }
    }),
    ready,
  };
};
