import { expect } from "chai";
import { createLogger } from "../src/platform/logger.ts";
import { rowsOf } from "../src/platform/db/pool.ts";
import { openReleasePool } from "../src/release.ts";
import { fromRunner } from "./support/environment.ts";

describe("the pool of a release", () => {
  it("has no limit for the time of a statement: an index may take minutes", async () => {
    const db = openReleasePool({
      databaseUrl: fromRunner("TEST_DATABASE_URL"),
      log: createLogger("fatal", "test"),
    });
    try {
      expect(await rowsOf(db, "SHOW statement_timeout")).to.deep.equal([
        { statement_timeout: "0" },
      ]);
      const { query_timeout: clientLimit } = db.client.config.connection;
      expect(clientLimit).to.equal(0);
    } finally {
      await db.destroy();
    }
  });
});
