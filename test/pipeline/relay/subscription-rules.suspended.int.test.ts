import { expect } from "chai";
import { toWakeWord } from "../../../src/contracts/events.ts";
import {
  createRecentKinds,
  createSubscriptionSet,
} from "../../../src/pipeline/relay/subscription-rules.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { openLimits, readLedger } from "../../support/ledger.ts";

describe("fanning out recent kinds of events: a webhook whose receiver gets nothing now", () => {
  const database = useDatabase();
  const limits = () => ({ ...openLimits(), reservedMs: 500 });

  const suspensions: [string, object, object][] = [
    ["its receiver asked for a pause", {}, { throttled_until: new Date(Date.now() + 60_000) }],
    ["its circuit is open", {}, { probe_at: new Date(), failures_in_row: 10 }],
    [
      "its circuit is open, and it has a rate limit",
      { max_per_second: 5 },
      { probe_at: new Date() },
    ],
  ];
  for (const [reason, columns, health] of suspensions) {
    it(`queues nothing if ${reason}, and does not delay others`, async () => {
      const { id: enterprise_id } = await anEnterprise(database.db);
      const { id } = await aSubscription(database.db, { enterprise_id });
      const { id: suspendedId } = await aSubscription(database.db, { enterprise_id, ...columns });
      await database
        .db("subscription_health")
        .where({ subscription_id: suspendedId })
        .update(health);
      const subscriptions = createSubscriptionSet();
      await subscriptions.refresh(database.db);
      const log = createLogger("silent", "test");
      const kinds = createRecentKinds({ db: database.db, log, subscriptions, nowMs: () => 0 });
      kinds.add([toWakeWord({ enterpriseId: enterprise_id, object: "ticket", event: "create" })]);
      const enqueued: unknown[] = [];
      const pending: unknown[] = [];
      for (const key of ["ticket:a", "ticket:b", "ticket:a"]) {
        await anEvent(database.db, { enterprise_id, key });
        const fannedOut = await kinds.fanOut(limits());
        pending.push(fannedOut?.hasPending);
        enqueued.push(...(fannedOut?.enqueued ?? []).map(({ fresh }) => fresh?.subscriptionId));
      }
      expect(enqueued).to.deep.equal([id, id]); // the third waits for the first
      expect(pending, "may be let go by a result").to.deep.equal([false, false, true]);
      const rows = await readLedger(database.db, suspendedId);
      expect(
        rows.map((row) => [row.sequence, row.state, row.generation, row.waits_for]),
      ).to.deep.equal([
        [1, "pending", 0, null],
        [2, "pending", 0, null],
        [3, "pending", 0, 1],
      ]);
    });
  }
});
