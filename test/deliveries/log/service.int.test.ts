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

  it("finds the deliveries of a replay that another clock has dated", async () => {
    const { db } = database;
    const { id: enterprise_id } = await anEnterprise(db);
    const { id: subscription_id } = await aSubscription(db, { enterprise_id, filters: ["*"] });
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, seconds));
    const ids = { enterprise_id, subscription_id };
    const [replay] = await db("replays")
      .insert({
        ...ids,
        ...{ state: "done", criteria: "{}", max_per_second: 50, phase: "end" },
        ...{ last_sequence: 0, last_event_row_id: 0, created_at: at(0), ended_at: at(10) },
      })
      .returning("id");
    for (const [sequence, created_at] of [
      [1, at(-2)],
      [2, at(12)],
    ] as const) {
      const event = await anEvent(db, { enterprise_id });
      await db("deliveries").insert({
        ...ids,
        ...{ sequence, event_row_id: event.id, event_at: event.occurred_at, created_at },
        ...{ object: "ticket", key: "ticket:1", state: "delivered", due_at: at(0) },
        replay_id: replay.id,
      });
    }
    const filter = { ...noFilter, replayId: replay.id };
    const found = await createDeliveryLog({ db }).search(
      { enterpriseId: enterprise_id },
      filter,
      part,
    );
    expect(found.deliveries.map(({ sequence }) => sequence)).to.deep.equal([2, 1]);
  });
});
