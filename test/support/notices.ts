import { composeAlertPass, composeNotices } from "../../src/compose/roles.ts";
import type { OperationalNotice } from "../../src/pipeline/ledger/notices.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { createTestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { anEnterprise, aSubscription, aUser } from "./factories.ts";
import { startPipeline, type Pipeline } from "./pipeline.ts";
import type { TestRedis } from "./redis.ts";

type Body = { object: string; event: string; objectId: number; props: Record<string, unknown> };

type NoticeEvent = {
  key: string;
  type: string;
  objectId: number;
  props: Record<string, unknown>;
};

type Mail = { id: number; recipient: string; subject: string; text: string; channel: string };

/**
 * Notices as composed by the pipeline's processes, with a stopped clock, and an enterprise with one
 * administrator and one webhook for each test.
 */
export function useNotices(database: TestDatabase, redis: TestRedis) {
  const clock = createTestClock(new Date("2026-11-25T10:00:00.000Z"));
  let pipeline: Pipeline | undefined;
  let enterpriseId = 0;
  let subscriptionId = 0;
  beforeEach("compose the notices", async () => {
    const env = { BASE_URL: "https://sightline.example" };
    pipeline = await startPipeline({ kind: "postgres", database, redis, clock, env, roles: [] });
    enterpriseId = (await anEnterprise(database.db, { time_zone: "UTC" })).id;
    await self.aPerson("admin", { email: self.adminEmail });
    subscriptionId = await self.aReceiver({
      name: "CRM",
      url: "https://crm.example.com/hook?key=s3",
    });
  });
  afterEach("close the composed connections", () => pipeline?.stop());
  const self = {
    clock,
    get enterpriseId() {
      return enterpriseId;
    },
    get subscriptionId() {
      return subscriptionId;
    },
    get adminEmail() {
      return `admin-${enterpriseId}@test.example`;
    },
    get writeNotices() {
      if (pipeline === undefined) {
        throw new Error("The notices exist inside tests and hooks only");
      }
      return composeNotices(pipeline.platform);
    },
    /** Checks all webhooks once, like the schedule. */
    watch: async () => {
      if (pipeline === undefined) {
        throw new Error("The alerts exist inside tests and hooks only");
      }
      await composeAlertPass(pipeline.platform).run(() => undefined);
    },
    aPerson: (role: string, columns: Record<string, unknown> = {}) =>
      aUser(database.db, { enterprise_id: enterpriseId, role, is_agent: false, ...columns }),
    aReceiver: async (columns: Record<string, unknown> = {}) =>
      (await aSubscription(database.db, { enterprise_id: enterpriseId, ...columns })).id,
    /** Writes notices in a separate transaction. */
    write: (...notices: OperationalNotice[]) =>
      inTransaction(database.db, (trx) => self.writeNotices(trx, notices)),
    /** The operational events in the outbox. */
    events: async (): Promise<NoticeEvent[]> => {
      const rows = await rowsOf<{ key: string; body: string }>(
        database.db,
        `SELECT e.key, e.body FROM events e JOIN outbox o ON o.event_row_id = e.id
         WHERE e.enterprise_id = ? ORDER BY e.id`,
        [enterpriseId],
      );
      return rows.map(({ key, body }) => {
        const { object, event, objectId, props } = JSON.parse(body) as Body;
        return { key, type: `${object}.${event}`, objectId, props };
      });
    },
    mails: (): Promise<Mail[]> =>
      rowsOf(
        database.db,
        `SELECT id, recipient, subject, text, channel FROM messages
         WHERE enterprise_id = ? ORDER BY id`,
        [enterpriseId],
      ),
  };
  return self;
}
