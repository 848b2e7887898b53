/** Wires mails and SMS: providers, queueing, sending, callbacks, templates. */
import type { Channel, QueuePrivateMail } from "../contracts/invitations.ts";
import type { AuditLog } from "../contracts/audit.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import type { AnyRoute } from "../http/route.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { FaultPoint } from "../contracts/fault-points.ts";
import type { Logger } from "../platform/logger.ts";
import type { HashPhone } from "../platform/phone-hash.ts";
import type { TaskHandlers, Tasks } from "../platform/tasks/task.ts";
import { callbackRoutes, createProviderCallbacks } from "./callbacks.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import type { Message } from "./model.ts";
import { createProviders, type ProviderSettings } from "./providers/providers.ts";
import { createMessageQueue, type QueueMessages, createSendHandler } from "./outgoing.ts";
import { messageRoutes } from "./routes.ts";
import { createMessages } from "./service.ts";
import { findUnsent, listUnsent } from "./store.ts";
import { templateRoutes, type TemplateRoutesDeps } from "./templates/routes.ts";
import { createTemplates } from "./templates/service.ts";

export type MessagingDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  outbox: Outbox;
  tasks: Pick<Tasks, "plan">;
  audit: AuditLog<Trx>;
  log: Pick<Logger, "info" | "warn">;
  faultPoint: FaultPoint;
  smsLimit: Pick<RateLimiter, "take">;
  requireEnterprise: TemplateRoutesDeps["requireEnterprise"];
  providers: ProviderSettings;
  hashPhone: HashPhone;
}>;

/** Messages of the provider `dev`, of all enterprises. */
export type UnsentMessages = Readonly<{
  list(
    page: Readonly<{ channel: Channel | undefined; before: number; limit: number }>,
  ): Promise<{ total: number; messages: Message[] }>;
  find(id: number): Promise<Message | undefined>;
}>;

export type Messaging = Readonly<{
  /** For features that send a text of their own. */
  queue: QueueMessages;
  invitations: Invitations;
  /** A mail that contains a secret. Only the recipient can read it; the API does not list it. */
  queueMail: QueuePrivateMail<Trx>;
  routes: readonly AnyRoute[];
  taskHandlers: TaskHandlers;
  unsent: UnsentMessages;
  /** Closes connections to providers. */
  close(): void;
}>;

export function createMessaging(deps: MessagingDeps): Messaging {
  const { db, providers: settings } = deps;
  const { baseUrl, mail } = settings;
  const providers = createProviders(settings);
  const queue = createMessageQueue({ ...deps, mailFrom: mail.from });
  return {
    queue,
    invitations: createInvitations({ ...deps, queue, mailFrom: mail.from, baseUrl }),
    queueMail: async (trx, { to, ...rest }) => {
      const message = { ...rest, recipient: to, isPrivate: true, at: deps.clock.now() };
      await queue(trx, [{ ...message, channel: "email" }], { overQuota: "fail" });
    },
    routes: [
      ...messageRoutes(createMessages({ ...deps, queue })),
      ...callbackRoutes({
        providerCalls: createProviderCallbacks({ ...deps, providers }),
        baseUrl,
      }),
      ...templateRoutes({ ...deps, templates: createTemplates(deps) }),
    ],
    taskHandlers: { "message.send": createSendHandler({ ...deps, providers }) },
    unsent: {
      list: (page) => listUnsent(db, page),
      find: (id) => findUnsent(db, id),
    },
    close: () => {
      providers.close();
    },
  };
}
