import { expect } from "chai";
import type { Platform } from "../../src/compose/platform.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startWebProcess, type WebProcess } from "../support/web-process.ts";

describe("the web process", () => {
  const database = useDatabase();
  let platform: Platform;
  let url: string;
  let stop: WebProcess["stop"];

  beforeEach("start it", async () => {
    ({ platform, url, stop } = await startWebProcess(database.url));
  });
  afterEach("stop it", () => stop());

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
