/**
 * Composition of the notices, for every role that settles deliveries or judges subscriptions. Of
 * the slices only what a notice needs: those roles serve nothing.
 */
import { listAdministrators } from "../accounts/directory-store.ts";
import { createQueue } from "../messages/queue.ts";
import type { WriteNotices } from "../pipeline/ledger/notices.ts";
import { createOutbox } from "../pipeline/outbox/append.ts";
import { createTasks } from "../platform/tasks/plan.ts";
import { createWriteNotices } from "../webhooks/notices/notices.ts";
import type { Platform } from "./platform.ts";

export const composeNotices = (platform: Platform): WriteNotices => {
  const { clock, ids, notifier, faultPoint, config, baseUrl } = platform;
  const outbox = createOutbox({ ids, clock, faultPoint, wake: () => notifier.wake("outbox") });
  const tasks = createTasks({ clock, wake: () => notifier.wake("tasks") });
  const queue = createQueue({ ids, outbox, tasks, mailFrom: config.mail.from });
  return createWriteNotices({
    outbox,
    clock,
    baseUrl,
    listAdministrators,
    queueMails: async (trx, mails) => {
      const messages = mails.map(({ to, ...mail }) => ({
        ...mail,
        channel: "email" as const,
        recipient: to,
        createdBy: null,
      }));
      await queue(trx, messages, { overQuota: "fail" });
    },
  });
};
