import { expect } from "chai";
import { switchOff } from "../../../src/pipeline/ledger/switch-off.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { reviseSubscription } from "../../support/explain-api.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, settleAll } from "../../support/ledger.ts";

describe("the answer of a former URL", () => {
  const database = useDatabase();

  /** A subscription with a request under way. */
  async function sent() {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const url = "https://old.example/hook";
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"], url });
    await anEvent(database.db, { enterprise_id });
    const [claimed] = await claimAll(database.db, await fanOutAll(database.db));
    return { id, claimed: claimed! };
  }

  async function throttledAfter({ id, claimed }: Awaited<ReturnType<typeof sent>>) {
    const record = { ...aSettlement(claimed).record, revision: claimed.revision, status: 429 };
    const wait = { state: "retry", dueAt: new Date(Date.now() + 60_000), congested: true } as const;
    const settlement = aSettlement(claimed, { ...wait, throttleMs: 86_400_000, record });
    const { accepted } = await settleAll(database.db, [settlement]);
    expect(accepted).to.deep.equal([true]);
    const [health] = await database
      .db("subscription_health")
      .where({ subscription_id: id })
      .select("throttled_until");
    return (health as { throttled_until: Date | null }).throttled_until !== null;
  }

  const isOffAfterGone = ({ id, claimed }: Awaited<ReturnType<typeof sent>>) => {
    const log = createLogger("silent", "test");
    const deps = { db: database.db, log, writeNotices: async () => undefined };
    return switchOff(deps, id, "gone", { revision: claimed.revision });
  };

  it("does not pause the new one", async () => {
    const one = await sent();
    await reviseSubscription(database.db, one.id, { url: "https://new.example/hook" });
    expect(await throttledAfter(one)).to.equal(false);
  });

  it("does not switch the webhook off", async () => {
    const one = await sent();
    await reviseSubscription(database.db, one.id, { url: "https://new.example/hook" });
    expect(await isOffAfterGone(one)).to.equal(false);
  });

  it("counts if something else of the webhook was changed", async () => {
    const one = await sent();
    await reviseSubscription(database.db, one.id, { filters: ["ticket.*"] });
    expect([await throttledAfter(one), await isOffAfterGone(one)]).to.deep.equal([true, true]);
  });
});
