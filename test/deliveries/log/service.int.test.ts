import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { noFilter } from "../../../src/pipeline/ledger/queries/delivery-filter.ts";
import { createDeliveryLog } from "../../../src/deliveries/log/service.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll } from "../../support/ledger.ts";

const part = { before: undefined, offset: 0, limit: 10 };
const looking = { ...noFilter, text: "needle" };

describe("the delivery log", () => {
  const database = useDatabase();

  it("runs two payload searches at once, and asks others to retry", async () => {
    const { db } = database;
    const { id } = await anEnterprise(db);
    await aSubscription(db, { enterprise_id: id, filters: ["*"] });
    const event = await anEvent(db, { enterprise_id: id, body: '{"props":"a needle"}' });
    await fanOutAll(db);
    const log = createDeliveryLog({ db });
    const poll = async () => (await log.search({ enterpriseId: id }, looking, part)).deliveries;
    const outcomeOf = (work: Promise<unknown[]>): Promise<unknown> =>
      work.then(
        (found) => found.length,
        (thrown: unknown) => (thrown instanceof Problem ? thrown.kind : thrown),
      );
    const polls = await inTransaction(db, async (trx) => {
      await trx.raw("LOCK TABLE events IN ACCESS EXCLUSIVE MODE");
      const all = [poll(), poll(), poll()].map(outcomeOf);
      expect(await Promise.race(all)).to.equal("rate_limited");
      return { all };
    });
    expect(await Promise.all(polls.all)).to.have.members([1, 1, "rate_limited"]);
    expect((await poll()).map(({ eventId }) => eventId)).to.deep.equal([event.event_id]);
  });
});
