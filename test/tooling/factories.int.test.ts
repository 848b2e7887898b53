import { expect } from "chai";
import { openRedis, useRedis } from "../support/redis.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aService, aSubscription, aUser, anEnterprise, anEvent } from "../support/factories.ts";

describe("the database of a test file", () => {
  const database = useDatabase();

  it("has the whole schema, including the queue's tables, and accepts the factories' rows", async () => {
    const enterprise = await anEnterprise(database.db);
    const user = await aUser(database.db, { enterprise_id: enterprise.id, role: "admin" });
    await aService(database.db, { enterprise_id: enterprise.id });
    const first = await aSubscription(database.db, { enterprise_id: enterprise.id });
    const second = await aSubscription(database.db, {
      enterprise_id: enterprise.id,
      filters: ["ticket.create", "media.*"],
    });
    await anEvent(database.db, { enterprise_id: enterprise.id });
    expect(user.role).to.equal("admin");
    expect([first.revision, second.revision]).to.deep.equal([1, 2]);
    expect(second.filters).to.deep.equal(["ticket.create", "media.*"]);
    const [queue] = await rowsOf<{ found: boolean }>(
      database.db,
      "SELECT count(*) > 0 AS found FROM pg_tables WHERE schemaname = 'sightline'",
    );
    expect(queue?.found).to.equal(true);
  });
});

describe("the database of another test file", () => {
  const database = useDatabase();

  it("does not contain the rows of the first", async () => {
    const rows = await rowsOf(database.db, "SELECT 1 FROM enterprises");
    expect(rows).to.deep.equal([]);
  });
});

describe("the key prefix of a test file", () => {
  const redis = useRedis();

  it("is on a reachable Redis", async () => {
    const client = openRedis(redis.url);
    await client.set(`{${redis.prefix}:x}:y`, "1");
    expect(await client.get(`{${redis.prefix}:x}:y`)).to.equal("1");
    client.disconnect();
  });
});
