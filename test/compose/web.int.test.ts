import { expect } from "chai";
import { openPlatform, type Platform } from "../../src/compose/platform.ts";
import { startWeb } from "../../src/compose/web.ts";
import { loadConfig } from "../../src/config/config.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { queueSchema } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { testKey } from "../support/secret-box.ts";

describe("the web process", () => {
  const database = useDatabase();
  const stops: StopPart[] = [];
  let platform: Platform;
  let url: string;

  beforeEach("start it", async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    platform = await openPlatform({
      config: loadConfig({
        DATABASE_URL: database.url,
        QUEUE_PREFIX: queueSchema,
        HOST: "127.0.0.1",
        PORT: String(port),
        SECRET_KEY: testKey.toString("base64"),
        LOG_LEVEL: "silent",
      }),
      log: createLogger("silent", "test"),
      lifecycle: {
        onStop: (_name, stop) => void stops.push(stop),
        signal: new AbortController().signal,
      },
      databaseUrl: database.url,
      secretKey: testKey,
    });
    await startWeb(platform);
  });
  afterEach("stop it", async () => {
    for (const stop of stops.splice(0).toReversed()) {
      await stop(2_000);
    }
  });

  const countOf = async (status: number): Promise<number> => {
    const { text } = await platform.metrics.render();
    const series = `page_requests_total{route="/attachments",status="${status}"} `;
    const line = text.split("\n").find((one) => one.startsWith(series));
    return Number(line?.slice(series.length) ?? 0);
  };

  it("counts a page request whose client leaves before the answer as 499", async () => {
    const client = new AbortController();
    await inTransaction(database.db, async (trx) => {
      await rowsOf(trx, "LOCK TABLE media");
      const answer = fetch(
        `${url}/attachments/00000000-0000-4000-8000-000000000000/a.png?e=1&s=a`,
        client,
      ).catch((thrown: unknown) => thrown);
      await eventually(async () => {
        const waiting = "SELECT FROM pg_locks WHERE relation = 'media'::regclass AND NOT granted";
        expect(await rowsOf(trx, waiting)).to.have.length(1);
      });
      client.abort();
      expect(await answer).to.be.instanceOf(Error);
      await eventually(async () => expect(await countOf(499)).to.equal(1));
    });
    expect(await countOf(404)).to.equal(0);
  });
});
