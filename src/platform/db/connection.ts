import type { Duplex } from "node:stream";
import pg from "pg";
import { withTimeout } from "../concurrency/async.ts";

export type ConnectionOptions = {
  url: string;
  /** Shown in pg_stat_activity for operators. */
  name: string;
  statementTimeoutMs?: number;
};

/** A connection outside of any pool, for example to hold a session lock. */
export type Session = {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Resolves when the connection has ended for any reason. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

const int8 = 20;

const closeTimeoutMs = 1_000;

/** Connects once. Rejects with the driver's error, whose `code` tells the reason. */
export async function openSession(options: ConnectionOptions): Promise<Session> {
  const client = new pg.Client(connectionOptions(options));
  const ended = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.once("end", () => resolve());
  });
  try {
    await client.connect();
  } catch (thrown) {
    socketOf(client).destroy();
    throw thrown;
  }
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const result = await client.query(sql, [...values]);
      return result.rows as Row[];
    },
    ended,
    close: () => closeConnection(client),
  };
}

/** Takes leave of Postgres if it answers, and leaves no socket open. Never rejects. */
export async function closeConnection(client: pg.Client): Promise<void> {
  await withTimeout(client.end(), closeTimeoutMs, "the goodbye").catch(() => undefined);
  socketOf(client).destroy();
}

/** The socket, which node-postgres' types do not have. To destroy it needs no answer of its host. */
export function socketOf(client: pg.ClientBase): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}

/** Ids and counters in bigint columns stay below 2^53, so they are parsed as numbers. */
const types = {
  getTypeParser: (oid: number, format?: string): ((value: string) => unknown) =>
    oid === int8
      ? Number
      : (pg.types.getTypeParser(oid, format as "text") as (v: string) => unknown),
};

/**
 * Probes idle connections. Without them firewalls forget a connection after minutes, and the loss of
 * a host shows after hours.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** node-postgres prefers a name in the URL, and release recognizes processes by theirs. */
function withoutName(url: string): string {
  // Errors of `new URL` contain the text with its password; those of node-postgres do not.
  if (!url.includes("application_name=") || !URL.canParse(url)) {
    return url;
  }
  const named = new URL(url);
  named.searchParams.delete("application_name");
  return named.href;
}

/** Connection options for node-postgres; also used for LISTEN connections. */
export function connectionOptions({ url, name, statementTimeoutMs = 15_000 }: ConnectionOptions) {
  return {
    connectionString: withoutName(url),
    application_name: `sightline ${name}`,
    statement_timeout: statementTimeoutMs,
    // Slightly longer than the server's own limit, in case the server no longer responds.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: 5_000,
    ...keepAlive,
    // With a long log, Postgres would compile for 0.5 s what then runs for 1 ms.
    options: "-c jit=off",
    types,
  };
}
