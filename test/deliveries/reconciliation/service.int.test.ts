import { expect } from "chai";
import { systemClock } from "../../../src/platform/clock.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import {
  createReconciliations,
  type Reconciliation,
} from "../../../src/deliveries/reconciliation/service.ts";
import { onBackend } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { reviseSubscription } from "../../support/explain-api.ts";
import {
  aReceivingSubscription,
  aTicketEvent,
  startPipeline,
  type Pipeline,
} from "../../support/pipeline.ts";
import { useReceiver } from "../../support/receiver.ts";
import { useRedis } from "../../support/redis.ts";

onBackend("redis", (kind) => {
  describe("reconciliation during traffic", () => {
    const database = useDatabase();
    const redis = useRedis();
    const receiving = useReceiver();
    let pipeline: Pipeline | undefined;
    afterEach(() => pipeline?.stop());

    it("finds no gap while filters and switches change, and then finds the one deleted row", async () => {
      pipeline = await startPipeline({ kind, database, redis });
      const { url } = receiving.receiver;
      const first = await aReceivingSubscription(database.db, { url });
      const { enterprise_id: enterpriseId } = first;
      const second = await aReceivingSubscription(database.db, { url, enterpriseId });
      const reconciliations = createReconciliations({
        db: database.db,
        clock: systemClock,
        retentionDays: 30,
      });
      const reconcile = (): Promise<Reconciliation> =>
        reconciliations.reconcile(enterpriseId, { since: undefined, until: undefined });
      const changes = [
        { filters: ["media.*"] },
        { is_active: false },
        { filters: ["ticket.*"], is_active: true },
        { conditions: '{"objectId":{"$mod":[2,0]}}' },
      ];
      const seen: Reconciliation[] = [];
      for (let round = 0; round < 40; round += 1) {
        await pipeline.publish([1, 2, 3, 4, 5].map((ticket) => aTicketEvent(enterpriseId, ticket)));
        seen.push(await reconcile());
        const change = round % 10 === 9 ? changes[(round - 9) / 10] : undefined;
        if (change !== undefined) {
          await reviseSubscription(database.db, second.id, change);
        }
      }
      const settled = await eventually(async () => {
        const proven = await reconcile();
        expect(proven.waiting).to.equal(0);
        return proven;
      });
      expect([...seen, settled].flatMap(({ gaps }) => gaps)).to.deep.equal([]);
      expect(settled.events).to.equal(200);
      expect(settled.found).to.equal(settled.expected);
      // 200 events of the first webhook; of the second one, those of the first and the last ten
      // rounds.
      expect(settled.expected + settled.undetermined).to.equal(300);
      const [lost] = await rowsOf<{ event_row_id: number }>(
        database.db,
        `DELETE FROM deliveries WHERE id = (
           SELECT id FROM deliveries WHERE subscription_id = ? ORDER BY sequence LIMIT 1 OFFSET 7)
         RETURNING event_row_id`,
        [first.id],
      );
      const { gaps } = await reconcile();
      expect(gaps.map(({ event, ...gap }) => ({ ...gap, eventRowId: event.id }))).to.deep.equal([
        { eventRowId: lost?.event_row_id, subscriptionId: first.id, reason: "no_delivery" },
      ]);
    });
  });
});
