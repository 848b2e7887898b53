import { expect } from "chai";
import { toWakeWord } from "../../../src/contracts/events.ts";
import { cancelDeliveriesOf } from "../../../src/pipeline/ledger/redact.ts";
import {
  createRecentKinds,
  createSubscriptionSet,
} from "../../../src/pipeline/relay/subscription-rules.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { untilWaiting } from "../../support/waiting.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { openLimits, readLedger } from "../../support/ledger.ts";

describe("fanning out an event in one round trip while it is redacted", () => {
  const database = useDatabase();

  it("cancels its delivery, and returns no job for it", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, is_ordered: true });
    const subscriptions = createSubscriptionSet();
    await subscriptions.refresh(database.db);
    const log = createLogger("silent", "test");
    const kinds = createRecentKinds({ db: database.db, log, subscriptions, nowMs: () => 0 });
    kinds.add([toWakeWord({ enterpriseId: enterprise_id, object: "ticket", event: "create" })]);
    const event = await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    await anEvent(database.db, { enterprise_id });
    await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    const redaction = await database.db.transaction();
    await redaction("events").where({ id: event.id }).update({ body: "", expunged_at: new Date() });
    await cancelDeliveriesOf(redaction, event.id, new Date());
    const fanningOut = kinds.fanOut({ ...openLimits(), reservedMs: 500 });
    await untilWaiting(database.db);
    await redaction.commit();
    const fannedOut = await fanningOut;
    expect(fannedOut?.enqueued.map(({ fresh }) => fresh?.sequence)).to.deep.equal([2]);
    const rows = await readLedger(database.db, id);
    expect(rows.map(({ state, waits_for }) => [state, waits_for])).to.deep.equal([
      ["cancelled", null],
      ["queued", null],
      ["pending", 1],
    ]);
    expect(await rowsOf(database.db, "SELECT FROM outbox")).to.deep.equal([]);
  });
});
