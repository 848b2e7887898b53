import type { AuditEntry } from "../../src/contracts/audit.ts";
import { problem } from "../../src/contracts/problems.ts";
import type { WebhookBody } from "../../src/contracts/events.ts";
import { createMessaging, type MessagingDeps } from "../../src/messages/messaging.ts";
import type { Message, NewMessage } from "../../src/messages/model.ts";
import type { ProviderSettings } from "../../src/messages/providers/providers.ts";
import { findMessage } from "../../src/messages/store.ts";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createPhoneHash } from "../../src/platform/phone-hash.ts";
import { createTasks, type RunningTask, type TaskOutcome } from "../../src/platform/tasks/task.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import { startApi, testBaseUrl } from "./api.ts";
import { createTestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { testBox, testKey } from "./secret-box.ts";
import {
  authenticateByLogin,
  aTicketFixture,
  callWith,
  type TestAnswer,
  type TestCall,
} from "./tickets.ts";

export const devOnly: ProviderSettings = {
  mail: { provider: "dev", from: "Sightline <no-reply@sightline.example>" },
  sms: { provider: "dev", http: undefined, twilio: undefined },
  baseUrl: testBaseUrl,
};

const noLimit = { isAllowed: true, limit: 30, remaining: 29, resetSeconds: 60 };

/** The message feature on a test's database, with a stopped clock and tasks as rows. */
export function createTestMessaging(db: Db, changed: Partial<MessagingDeps> = {}) {
  const clock = createTestClock();
  const audited: AuditEntry[] = [];
  const wake = (): void => undefined;
  const outbox = createOutbox({
    ids: randomIds,
    clock,
    wake,
    faultPoint: () => undefined,
    maxBytes: 262_144,
  });
  const messaging = createMessaging({
    db,
    clock,
    ids: randomIds,
    outbox,
    tasks: createTasks({ clock, wake }),
    audit: { write: async (_trx, entry) => void audited.push(entry) },
    log: { info: () => undefined, warn: () => undefined } as never,
    faultPoint: () => undefined,
    smsLimit: { take: async () => noLimit },
    requireEnterprise: async (caller, id) => {
      if (caller.enterpriseId !== id) {
        throw problem("not_found", "The enterprise was not found.");
      }
    },
    providers: devOnly,
    hashPhone: createPhoneHash(testKey),
    ...changed,
  });
  return { clock, audited, outbox, messaging };
}

/** `smsmessage create`, `smsmessage update`, … of one message, in commit order. */
export async function smsEventsAbout(db: Db, id: number): Promise<string[]> {
  const rows = await rowsOf<{ body: string }>(
    db,
    "SELECT body FROM events WHERE key = ? ORDER BY id",
    [`smsmessage:${id}`],
  );
  return rows.map(({ body }) => {
    const { object, event, objectId, props } = JSON.parse(body) as WebhookBody;
    return `${object} ${event} ${objectId} ${JSON.stringify(props)}`;
  });
}

/** The message ids of open send tasks. */
export async function openSendTasks(db: Db): Promise<number[]> {
  const rows = await rowsOf<{ data: { messageId: number } }>(
    db,
    "SELECT data FROM tasks WHERE kind = 'message.send' AND ended_at IS NULL ORDER BY id",
  );
  return rows.map(({ data }) => data.messageId);
}

export function runningTask(enterpriseId: number, messageId: number): RunningTask {
  return {
    id: 1,
    kind: "message.send",
    key: `message:${messageId}`,
    enterpriseId,
    data: { messageId },
    attempt: 1,
    generation: 1,
  };
}

/** The message feature of the surrounding `describe`, with an enterprise that has a ticket service. */
export function useMessaging(
  database: TestDatabase,
  changed: () => Partial<MessagingDeps> = () => ({}),
) {
  let made: ReturnType<typeof createTestMessaging> | undefined;
  let fixture: Awaited<ReturnType<typeof aTicketFixture>> | undefined;
  beforeEach("make the message feature", async () => {
    made = createTestMessaging(database.db, changed());
    fixture = await aTicketFixture(database.db);
  });
  afterEach("close connections to providers", () => {
    made?.messaging.close();
  });
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) {
      throw new Error("The messages exist inside tests and hooks only");
    }
    return value;
  };
  const self = {
    get features() {
      return get(made);
    },
    get fixture() {
      return get(fixture);
    },
    /** Queues messages of the enterprise in a separate transaction. */
    queue: async (...messages: Partial<NewMessage>[]): Promise<number[]> => {
      const { enterpriseId } = self.fixture;
      const fresh = messages.map((message): NewMessage => ({
        enterpriseId,
        channel: "sms",
        recipient: "+33612345678",
        text: "Hello",
        createdBy: null,
        at: self.features.clock.now(),
        ...message,
      }));
      const queued = await inTransaction(database.db, (trx) =>
        self.features.messaging.queue(trx, fresh, { overQuota: "refuse" }),
      );
      return queued.map(({ id }) => id);
    },
    /** Runs the task of a message once, like a worker. */
    send: async (id: number): Promise<TaskOutcome> => {
      const handler = self.features.messaging.taskHandlers["message.send"]!;
      const task = runningTask(self.fixture.enterpriseId, id);
      const [planned] = await rowsOf<Pick<RunningTask, "data">>(
        database.db,
        "SELECT data FROM tasks WHERE kind = ? AND key = ?",
        [task.kind, task.key],
      );
      return handler({ ...task, ...planned }, new AbortController().signal);
    },
    find: async (id: number): Promise<Message> =>
      get(await findMessage(database.db, self.fixture.enterpriseId, id)),
  };
  return self;
}

export type MessagingHarness = ReturnType<typeof useMessaging>;

/** The operations of messages behind the real router. A token is the login of the user. */
export function useMessageApi(database: TestDatabase, harness: MessagingHarness) {
  let server: Awaited<ReturnType<typeof startApi>> | undefined;
  beforeEach("serve the operations of messages", async () => {
    server = await startApi({
      routes: harness.features.messaging.routes,
      authenticate: authenticateByLogin(database.db),
      idempotency: createIdempotency(database.db, testBox),
    });
  });
  afterEach("stop serving", async () => {
    await server?.close();
  });
  return (operation: string, input?: TestCall): Promise<TestAnswer> =>
    callWith(server?.url ?? "", operation, input);
}

/** A message as passed to providers, with a unique key. */
export function aMessage(more: Partial<Message> = {}): Message {
  return {
    id: 1,
    enterpriseId: 3,
    channel: "sms",
    uid: randomIds.uuid(),
    ticketId: null,
    conferenceId: null,
    recipient: "+33612345678",
    sender: "",
    subject: null,
    text: "Hello",
    html: null,
    calendar: null,
    segments: 1,
    isPrivate: false,
    status: "queued",
    provider: null,
    providerId: null,
    error: null,
    attempts: 0,
    createdAt: new Date("2026-11-20T10:00:00.000Z"),
    modifiedAt: new Date("2026-11-20T10:00:00.000Z"),
    sentAt: null,
    ...more,
  };
}
