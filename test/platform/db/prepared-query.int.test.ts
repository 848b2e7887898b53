import { expect } from "chai";
import pg from "pg";
import { submitPrepared } from "../../../src/platform/db/prepared-query.ts";
import { useDatabase } from "../../support/database.ts";

describe("a prepared query", () => {
  const database = useDatabase();
  const opened: pg.Client[] = [];

  /** A connection with the number of statement descriptions that it has requested. */
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url, ...{ pipeline: true } });
    await client.connect();
    opened.push(client);
    const inner = (client as unknown as { connection: { describe(message: unknown): void } })
      .connection;
    const describe = inner.describe.bind(inner);
    const seen = { descriptions: 0 };
    inner.describe = (message) => {
      seen.descriptions += 1;
      describe(message);
    };
    return { client, seen };
  };

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((client) => client.end()));
  });

  const text = `SELECT CAST($1 AS bigint) AS id, now() AS at, ARRAY['a', NULL] AS names,
    CAST(NULL AS text) AS nothing, CAST('{"a": 1}' AS json) AS data`;

  it("asks for the description once per connection, and returns the same rows", async () => {
    const { client, seen } = await connect();
    const run = (id: number) => submitPrepared(client, { name: "types", text, values: [id] });
    const plain = (await client.query(text, [1])).rows[0];
    const before = seen.descriptions;
    const [first] = (await run(1)).rows;
    expect({ ...first, at: 0 }).to.deep.equal({ ...plain, at: 0 });
    expect(first.at).to.be.a("date");
    const others = await Promise.all([run(2), run(3)]);
    expect(others.map(({ rows }) => rows.map(({ id }) => Number(id)))).to.deep.equal([[2], [3]]);
    expect({ ...others[0]?.rows[0], at: 0, id: first.id }).to.deep.equal({ ...first, at: 0 });
    expect(others[0]).to.include({ command: "SELECT", rowCount: 1 });
    expect(seen.descriptions - before).to.equal(1);
    const other = await connect();
    await submitPrepared(other.client, { name: "types", text, values: [4] });
    expect(other.seen.descriptions).to.equal(1);
  });

  it("sends times as they are, of any year, also in arrays", async () => {
    const { client } = await connect();
    const times = [
      "2026-11-29T05:06:07.089Z",
      "0001-01-01T00:00:00.000Z",
      "0000-03-15T12:00:00.000Z",
      "-000043-03-15T12:00:00.000Z",
      "+012345-06-07T08:09:10.111Z",
    ].map((time) => new Date(time));
    const { rows } = await submitPrepared(client, {
      name: "times",
      text: `SELECT CAST($1 AS timestamptz) AS one, CAST($2 AS timestamptz[]) AS all,
        (SELECT array_agg(extract(epoch FROM t)) FROM unnest($2::timestamptz[]) AS t)::text[] AS seconds`,
      values: [times[0], [...times, null]],
    });
    expect(rows[0]).to.deep.equal({
      one: times[0],
      all: [...times, null],
      seconds: [...times.map((time) => `${(time.getTime() / 1_000).toFixed(3)}000`), null],
    });
  });

  it("keeps the description for no rows and for many", async () => {
    const { client } = await connect();
    const count = async (rows: number) =>
      (
        await submitPrepared(client, {
          name: "series",
          text: "SELECT n FROM generate_series(1, $1::int) AS n",
          values: [rows],
        })
      ).rows;
    expect(await count(0)).to.deep.equal([]);
    expect(await count(2)).to.deep.equal([{ n: 1 }, { n: 2 }]);
    expect(await count(0)).to.deep.equal([]);
  });

  it("rejects a failed statement, and runs the next one", async () => {
    const { client } = await connect();
    const divide = (by: unknown) =>
      submitPrepared(client, { name: "divide", text: "SELECT 6 / $1::int AS n", values: [by] });
    const failed = await divide(0).catch((error: Error) => error.message);
    expect(failed).to.equal("division by zero");
    expect((await divide(3)).rows).to.deep.equal([{ n: 2 }]);
    expect(await divide("x").catch((error: { code: string }) => error.code)).to.equal("22P02");
    expect((await divide(2)).rows).to.deep.equal([{ n: 3 }]);
  });

  it("is refused once its columns have changed, and right on a new connection", async () => {
    const { client } = await connect();
    await client.query("CREATE TABLE changing (value integer); INSERT INTO changing VALUES (7)");
    const read = (one: pg.Client) =>
      submitPrepared(one, { name: "read", text: "SELECT value FROM changing", values: [] });
    expect((await read(client)).rows).to.deep.equal([{ value: 7 }]);
    await client.query("ALTER TABLE changing ALTER COLUMN value TYPE text");
    const refused = await read(client).catch((error: Error) => error.message);
    expect(refused).to.equal("cached plan must not change result type");
    expect((await read((await connect()).client)).rows).to.deep.equal([{ value: "7" }]);
    await client.query("DROP TABLE changing");
  });

  it("is rejected on a connection that is lost", async () => {
    const { client } = await connect();
    client.on("error", () => undefined);
    const slow = submitPrepared(client, {
      ...{ name: "slow", text: "SELECT pg_terminate_backend(pg_backend_pid())", values: [] },
    });
    expect(await slow.catch((error: Error) => error.message)).to.match(/terminat/iu);
    opened.length = 0;
  });
});
