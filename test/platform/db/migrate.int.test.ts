import { readFile, writeFile } from "node:fs/promises";
import { expect } from "chai";
import {
  isSchemaCurrent,
  migrateDownAll,
  migrateUp,
  migrationStatus,
} from "../../../src/platform/db/migrate.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { createEmptyDatabase, dropDatabase } from "../../support/database.ts";
import { dumpSchema } from "../../support/schema-dump.ts";

const schemaFile = new URL("../../../migrations/schema.sql", import.meta.url);

describe("the migrations", () => {
  let db: Db;
  let name: string;

  beforeEach(async () => {
    const database = await createEmptyDatabase();
    name = database.name;
    db = openPool({ url: database.url, maxConnections: 3, name: "test" });
  });
  afterEach(async () => {
    await db.destroy();
    await dropDatabase(name);
  });

  it("go up, down, and up again to the same schema", async () => {
    await migrateUp(db);
    const first = await dumpSchema(db);
    await migrateDownAll(db);
    const left = await rowsOf<{ name: string }>(
      db,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
         AND relkind IN ('r', 'p', 'S') AND relname NOT LIKE 'schema_migrations%'`,
    );
    expect(left).to.deep.equal([]);
    await migrateUp(db);
    expect(await dumpSchema(db)).to.equal(first);
  });

  it("produce the schema of schema.sql", async () => {
    await migrateUp(db);
    const dump = await dumpSchema(db);
    if (process.env["WRITE_SCHEMA"] === "1") {
      await writeFile(schemaFile, dump);
    }
    expect(dump, "npm run schema rewrites it").to.equal(await readFile(schemaFile, "utf8"));
  });

  it("of a later version leave the processes of this one ready", async () => {
    expect(await isSchemaCurrent(db), "before the first").to.equal(false);
    await migrateUp(db);
    await rowsOf(
      db,
      "INSERT INTO schema_migrations (name, batch, migration_time) VALUES (?, 2, now())",
      ["29991231235959_of_a_later_version"],
    );
    expect(await isSchemaCurrent(db)).to.equal(true);
    expect((await migrationStatus(db)).pending).to.deep.equal([]);
  });

  it("are applied once by several concurrent processes", async () => {
    const applied = await Promise.all([migrateUp(db), migrateUp(db)]);
    const { applied: all, pending } = await migrationStatus(db);
    expect(applied.flat()).to.have.length(all.length);
    expect(pending).to.deep.equal([]);
  });
});
