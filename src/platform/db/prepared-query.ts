/**
 * A prepared statement whose rows Postgres describes only once per connection: a description names
 * and types every column, which costs both sides more than a small row. It cannot become wrong:
 * Postgres refuses to run a prepared statement whose columns have changed.
 */
import pg from "pg";

/** What node-postgres derives from a description, in its `Result`. */
type RowShape = Readonly<{
  fields: readonly unknown[];
  _parsers: readonly unknown[] | undefined;
  _prebuiltEmptyResultObject: unknown;
}>;

/** The part of node-postgres' connection, not the client, that is used here. */
type Connection = { describe(message: unknown): void };

/** The members of node-postgres' `Query` that its types do not have. */
type QueryParts = {
  name: string;
  _result: RowShape;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
};

/** What is known of one connection. `silent` is the same connection, without descriptions. */
type Known = { shapes: Map<string, RowShape>; silent: Connection };

const known = new WeakMap<Connection, Known>();

type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: Callback,
) => pg.Submittable & QueryParts;

type NamedQuery = Readonly<{ name: string; text: string; values: readonly unknown[] }>;

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
  return new Promise<pg.QueryResult>((resolve, reject) => {
    const onEnd: Callback = (error, result) => (error === null ? resolve(result) : reject(error));
    connection.query(new PreparedQuery(statement, onEnd));
  });
}

function knownOf(connection: Connection): Known {
  const one = known.get(connection) ?? {
    shapes: new Map(),
    silent: Object.create(connection, { describe: { value: () => undefined } }) as Connection,
  };
  known.set(connection, one);
  return one;
}
