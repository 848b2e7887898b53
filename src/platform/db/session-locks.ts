import pg from "pg";
import { withTimeout } from "../concurrency/sleep.ts";
import { connectionOptions, type PoolOptions } from "./pool.ts";

/** One connection outside any pool, for what lives as long as a connection: a session lock. */
export type Session = {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Resolves when the connection is over, whoever ended it. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

/**
 * The numbers of Postgres advisory locks, in one place: two uses of one number would wait for each
 * other. Any numbers do, as long as every process has the same.
 */
export const advisoryLocks = {
  migration: 7_233_001,
  relay: 7_233_002,
  firstStart: 7_233_003,
  dataDir: 7_233_004,
} as const;

const closeTimeoutMs = 1_000;

/** Connects once; rejects with the driver's error (its `code` tells why) where that fails. */
export async function openSession(options: PoolOptions): Promise<Session> {
  const client = new pg.Client(connectionOptions(options));
  const ended = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.once("end", () => resolve());
  });
  try {
    await client.connect();
  } catch (thrown) {
    void client.end().catch(() => undefined);
    throw thrown;
  }
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const result = await client.query(sql, [...values]);
      return result.rows as Row[];
    },
    ended,
    close: async () => {
      const end = client.end().catch(() => undefined);
      await withTimeout(Promise.race([end, ended]), closeTimeoutMs, "").catch(() => undefined);
    },
  };
}
