import { expect } from "chai";
import { toWakeWord } from "../../../src/contracts/events.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import {
  createSubscriptionSet,
  createRecentKinds,
} from "../../../src/pipeline/relay/subscription-rules.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { openLimits, readLedger } from "../../support/ledger.ts";

describe("which kinds of events a relay tries to fan out in one round trip, and when", () => {
  const database = useDatabase();
  let nowMs = 0;
  const limits = () => ({ ...openLimits(), reservedMs: 500 });
  const ticketCreated = (enterpriseId: number) =>
    toWakeWord({ enterpriseId, object: "ticket", event: "create" });
  const healthIs = (id: number, columns: object) =>
    database.db("subscription_health").where({ subscription_id: id }).update(columns);

  const setUp = async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id });
    const set = createSubscriptionSet();
    await set.refresh(database.db);
    const kinds = createRecentKinds({
      ...{ db: database.db, log: createLogger("silent", "test"), subscriptions: set },
      nowMs: () => nowMs,
    });
    kinds.add([ticketCreated(enterprise_id)]);
    return { enterprise_id, id, set, kinds };
  };

  it("waits for no webhook that got nothing for a second", async () => {
    const { enterprise_id, id, kinds, set } = await setUp();
    const idle = await setUp();
    await set.refresh(database.db);
    nowMs += 1;
    kinds.add([ticketCreated(idle.enterprise_id)]);
    nowMs += 1_000;
    kinds.add([ticketCreated(enterprise_id)]);
    await anEvent(database.db, { enterprise_id });
    await inTransaction(database.db, async (trx) => {
      await lockHealth(trx, [idle.id]);
      nowMs += 1;
      expect((await kinds.fanOut(limits()))?.events).to.have.length(1);
    });
    expect(await readLedger(database.db, id)).to.have.length(1);
    nowMs += 1_001;
    expect(await kinds.fanOut(limits())).to.equal(undefined);
  });

  it("tries less often where the rules do not do, and again once they do", async () => {
    const { enterprise_id, id, kinds, set } = await setUp();
    await healthIs(id, { failures_in_row: 1 });
    const tries: number[] = [];
    const onQuery = ({ sql }: { sql: string }): void => {
      tries.push(...(sql.includes("has_outbox',") ? [round] : []));
    };
    database.db.client.on("query", onQuery);
    let round = 0;
    for (; round < 16; round += 1) {
      await anEvent(database.db, { enterprise_id });
      await kinds.fanOut(limits());
      await fanOut(database.db, set, { limit: 100, afterEventRowId: 0 }, limits());
    }
    database.db.client.off("query", onQuery);
    expect(tries).to.deep.equal([0, 2, 5, 10]);
  });
});
