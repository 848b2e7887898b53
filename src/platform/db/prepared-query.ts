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

/** The parsers of values, which node-postgres sets when a query is submitted. */
type RowTypes = { _types: unknown };

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
  callback: unknown;
  _result: pg.QueryResult & RowShape & RowTypes;
  _accumulateRows: boolean;
  /** The failure to parse a row, reported when Postgres is ready again. */
  _canceledDueToError: unknown;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
};

/** What is known of one connection, and the same connection without some of its messages. */
type Known = {
  shapes: Map<string, RowShape>;
  withoutDescribe: Connection;
  withoutSync: Connection;
  withoutBoth: Connection;
};

const known = new WeakMap<Connection, Known>();

type Callback<Result = pg.QueryResult> = (error: Error | null, result: Result) => void;

const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: Callback,
) => pg.Submittable & QueryParts;

export type NamedQuery = Readonly<{ name: string; text: string; values: readonly unknown[] }>;

class PreparedQuery extends Query {
  #known: Known | undefined;
  #isBeingSent = false;

  /** The name is set here, because node-postgres would make a slow copy of a config object. */
  constructor({ name, text, values }: NamedQuery, callback: Callback) {
    super(text, values.map(toText), callback);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    this.#known = knownOf(connection);
    const isDescribed = this.#takeShape(this.#known);
    this.#isBeingSent = true;
    super.prepare(isDescribed ? this.#known.withoutDescribe : connection);
    this.#isBeingSent = false;
  }

  /**
   * If a value cannot be sent, node-postgres closes the statement and skips it: a transaction would be
   * committed without it, and later uses of the name would fail. So the connection ends, and with it
   * the transaction; the failure is then reported as that of the connection.
   */
  override handleError(error: Error, connection: Connection): void {
    if (this.#isBeingSent) {
      connection.stream.destroy(error);
    } else {
      super.handleError(error, connection);
    }
  }

  /** Without a `Sync`. Throws if a value cannot be sent. */
  prepareInBatch(connection: Connection): void {
    this.#known = knownOf(connection);
    const isDescribed = this.#takeShape(this.#known);
    super.prepare(isDescribed ? this.#known.withoutBoth : this.#known.withoutSync);
  }

  /** Returns whether the rows were described before. */
  #takeShape({ shapes }: Known): boolean {
    const shape = shapes.get(this.name);
    if (shape === undefined) {
      return false;
    }
    Object.assign(this._result, shape);
    this._accumulateRows = true;
    return true;
  }

  /** Also of a statement without rows, which Postgres describes with nothing. */
  override handleCommandComplete(message: unknown, connection: Connection): void {
    const shapes = this.#known?.shapes;
    if (shapes?.has(this.name) === false) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    }
    super.handleCommandComplete(message, connection);
  }
}

/** The text of times: node-postgres would write them in the local time zone, digit by digit. */
function toText(value: unknown): unknown {
  if (value instanceof Date) {
    const year = value.getUTCFullYear(); // other years have another format; NaN if it is invalid
    return year >= 1 && year <= 9_999 ? value.toISOString() : value;
  }
  return Array.isArray(value) ? value.map(toText) : value;
}

/** Submits a named statement. The same name must always have the same text. */
export function submitPrepared(
  connection: pg.ClientBase,
  statement: NamedQuery,
): Promise<pg.QueryResult> {
  return submitted(connection, (callback) => new PreparedQuery(statement, callback));
}

/**
 * Several named statements with one `Sync`: Postgres runs them as one implicit transaction, so all of
 * them take effect or none. For a connection without a transaction.
 */
class PreparedBatch extends Query {
  readonly #queries: readonly PreparedQuery[];
  /** The query that Postgres answers next. */
  #position = 0;

  constructor(statements: readonly NamedQuery[], callback: Callback<pg.QueryResult[]>) {
    super("", [], (error) => {
      callback(
        error,
        this.#queries.map(({ _result }) => _result),
      );
    });
    this.#queries = statements.map((one) => new PreparedQuery(one, throwError));
    this.#nameNext();
  }

  /** node-postgres notes under the name of the query which statement was parsed. */
  #nameNext(): void {
    const next = this.#queries[this.#position];
    this.name = next?.name ?? "";
    this.text = next?.text ?? "";
  }

  override prepare(connection: Connection): void {
    try {
      for (const one of this.#queries) {
        one._result._types = this._result._types;
        one.prepareInBatch(connection);
      }
      connection.sync();
    } catch (thrown) {
      // Without a Sync, Postgres rolls back what was sent.
      connection.stream.destroy(toError(thrown));
    }
  }

  override handleRowDescription(message: unknown): void {
    this.#queries[this.#position]?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.#queries[this.#position]?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    this.#queries[this.#position]?.handleCommandComplete(message, connection);
    this.#position += 1;
    this.#nameNext();
  }

  override handleReadyForQuery(connection: Connection): void {
    const failed = this.#queries.find((one) => Boolean(one._canceledDueToError));
    this._canceledDueToError = failed?._canceledDueToError ?? false;
    super.handleReadyForQuery(connection);
  }

  /** Postgres has skipped the statements after the one that failed, and not parsed them. */
  override handleError(error: Error, connection: Connection): void {
    for (const { name } of this.#queries.slice(this.#position)) {
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

/** Submits named statements, at least one, as one implicit transaction. */
export function submitPreparedBatch(
  connection: pg.ClientBase,
  statements: readonly NamedQuery[],
): Promise<pg.QueryResult[]> {
  return submitted(connection, (callback) => new PreparedBatch(statements, callback));
}

function submitted<Result>(
  connection: pg.ClientBase,
  create: (callback: Callback<Result>) => pg.Submittable,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    connection.query(create((error, result) => (error === null ? resolve(result) : reject(error))));
  });
}

function knownOf(connection: Connection): Known {
  const one = known.get(connection) ?? {
    shapes: new Map(),
    withoutDescribe: without(connection, "describe"),
    withoutSync: without(connection, "sync"),
    withoutBoth: without(connection, "describe", "sync"),
  };
  known.set(connection, one);
  return one;
}

function without(connection: Connection, ...names: ("describe" | "sync")[]): Connection {
  const nothing = { value: () => undefined };
  return Object.create(
    connection,
    Object.fromEntries(names.map((name) => [name, nothing])),
  ) as Connection;
}
