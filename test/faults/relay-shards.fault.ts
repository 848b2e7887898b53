/**
 * Two relay processes share the outbox in shards, and one of them gets a `kill -9` under load. The
 * other one takes over its shards: every event of every enterprise is fanned out once, in order.
 */
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { anEnterprise, aSubscription } from "../support/factories.ts";
import { listOrderFaults } from "../support/ledger.ts";
import { useLoads } from "../support/load.ts";
import { useStack, type RoleProcess } from "../support/stack.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";

const customers = 16;

describe("one of two relays killed under load", function () {
  this.timeout(120_000);
  const { database, stack } = useStack("redis", () => ({ RELAY_SHARDS: "4" }));
  const loads = useLoads();

  const countEvents = async ({ url }: RoleProcess): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^webhook_events_total\{object="ticket"\} (\d+)/mu.exec(text)?.[1] ?? 0);
  };
  const countRows = async (table: string): Promise<number> => {
    const sql = `SELECT count(*) AS count FROM ${table}`;
    return (await rowsOf<{ count: number }>(database.db, sql))[0]?.count ?? 0;
  };
  const aCustomer = async () => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id: enterpriseId });
    return { enterpriseId, subscriptionId: id };
  };

  it("leaves its shards to the other, which loses no event and keeps their order", async () => {
    const watched = await Promise.all(Array.from({ length: customers }, aCustomer));
    const [first, second] = await Promise.all([stack.start("relay"), stack.start("relay")]);
    const publishing = watched.map(({ enterpriseId }) =>
      loads.publish(database.db, enterpriseId, { perCommit: 5, pauseMs: 100 }),
    );
    await eventually(
      async () => {
        for (const relay of [first, second]) {
          expect(await countEvents(relay)).to.be.greaterThan(200);
        }
      },
      { timeoutMs: 30_000 },
    );
    await first.kill();
    const countOfSecond = await countEvents(second);
    await eventually(
      async () => expect(await countEvents(second)).to.be.greaterThan(countOfSecond + 500),
      { timeoutMs: 30_000 },
    );
    await Promise.all(publishing.map((one) => one.stop()));
    const published = publishing.reduce((sum, { committed }) => sum + committed, 0);
    await eventually(async () => expect(await countRows("outbox")).to.equal(0), {
      timeoutMs: 30_000,
    });
    expect(await countRows("deliveries")).to.equal(published);
    const ids = watched.map(({ subscriptionId }) => subscriptionId);
    expect(await listOrderFaults(database.db, ids)).to.deep.equal([]);
  });
});
