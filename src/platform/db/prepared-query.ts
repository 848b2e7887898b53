/**
 * A prepared statement whose rows Postgres describes only once per connection: a description names
 * and types every column, which costs both sides more than a small row. It cannot become wrong:
 * Postgres refuses to run a prepared statement whose columns have changed.
 */
import type { Writable } from "node:stream";
import pg from "pg";
import { toError } from "../errors.ts";

/** What node-postgres derives from a description, in its `Result`. */
type RowShape = Readonly<{
  fields: readonly unknown[];
  _parsers: readonly unknown[] | undefined;
  _prebuiltEmptyResultObject: unknown;
}>;

/** The part of node-postgres' connection, not the client, that is used here. */
type Connection = {
  describe(message: unknown): void;
  sync(): void;
  stream: Writable;
  submittedNamedStatements: Record<string, string>;
};

/** The members of node-postgres' `Query` that its types do not have. */
type QueryParts = {
  name: string;
  text: string;
  _result: RowShape;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown): void;
  handleError(error: Error, connection: Connection): void;
};

/** What is known of one connection, and the same connection without some of its messages. */
type Known = {
  shapes: Map<string, RowShape>;
  /** Without descriptions. */
  silent: Connection;
  /** Without descriptions and `Sync`. */
  open: Connection;
};

const known = new WeakMap<Connection, Known>();

type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: Callback,
) => pg.Submittable & QueryParts;

export type NamedQuery = Readonly<{ name: string; text: string; values: readonly unknown[] }>;

class PreparedQuery extends Query {
  #known: Known | undefined;

  /** The name is set here, because node-postgres would make a slow copy of a config object. */
  constructor({ name, text, values }: NamedQuery, callback: Callback) {
    super(text, values, callback);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    this.#known = knownOf(connection);
    const shape = this.#known.shapes.get(this.name);
    if (shape === undefined) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, shape);
    this._accumulateRows = true;
    super.prepare(this.#known.silent);
  }

  /** Sends it without a `Sync`. Throws if a value cannot be sent. */
  prepareIn(batch: Connection): void {
    super.prepare(knownOf(batch).open);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#known?.shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/** Submits a named statement. The same name must always have the same text. */
export function submitPrepared(
  connection: pg.ClientBase,
  statement: NamedQuery,
): Promise<pg.QueryResult> {
  return submitted(connection, (callback) => new PreparedQuery(statement, callback));
}

/**
 * Several named statements with one `Sync`, whose rows are not read: Postgres runs them as one
 * implicit transaction, so all of them take effect or none. For a connection without a transaction.
 */
class PreparedBatch extends Query {
  /** Those that Postgres has not answered yet. */
  #open: PreparedQuery[];

  constructor(statements: readonly NamedQuery[], callback: Callback) {
    super("", [], callback);
    this.#open = statements.map((one) => new PreparedQuery(one, throwError));
    this.#nameNext();
  }

  /** node-postgres notes under the name of the query which statement was parsed. */
  #nameNext(): void {
    const [next] = this.#open;
    this.name = next?.name ?? "";
    this.text = next?.text ?? "";
  }

  override prepare(connection: Connection): void {
    try {
      this.#open.forEach((one) => one.prepareIn(connection));
      connection.sync();
    } catch (thrown) {
      // Without a Sync, Postgres rolls back what was sent.
      connection.stream.destroy(toError(thrown));
    }
  }

  override handleDataRow(): void {}

  override handleCommandComplete(): void {
    this.#open.shift();
    this.#nameNext();
  }

  /** Postgres has skipped the statements after the one that failed, and not parsed them. */
  override handleError(error: Error, connection: Connection): void {
    for (const { name } of this.#open) {
      delete connection.submittedNamedStatements[name];
    }
    super.handleError(error, connection);
  }
}

function throwError(error: Error | null): void {
  if (error !== null) {
    throw error;
  }
}

/** Submits named statements, at least one, as one implicit transaction. Their rows are not read. */
export function submitPreparedBatch(
  connection: pg.ClientBase,
  statements: readonly NamedQuery[],
): Promise<pg.QueryResult> {
  return submitted(connection, (callback) => new PreparedBatch(statements, callback));
}

function submitted(
  connection: pg.ClientBase,
  create: (callback: Callback) => pg.Submittable,
): Promise<pg.QueryResult> {
  return new Promise<pg.QueryResult>((resolve, reject) => {
    connection.query(create((error, result) => (error === null ? resolve(result) : reject(error))));
  });
}

function knownOf(connection: Connection): Known {
  const nothing = { value: () => undefined };
  const one = known.get(connection) ?? {
    shapes: new Map(),
    silent: Object.create(connection, { describe: nothing }) as Connection,
    open: Object.create(connection, { describe: nothing, sync: nothing }) as Connection,
  };
  known.set(connection, one);
  return one;
}
