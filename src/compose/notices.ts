/**
 * Composition of notices, for every role that settles deliveries or assesses subscriptions. Uses
 * only the parts of the features that notices need, because these roles serve no requests.
 */
import { findEnterpriseProfile, listNoticeRecipients } from "../accounts/recipients-store.ts";
import { createMessageQueue } from "../messages/outgoing.ts";
import type { WriteNotices } from "../pipeline/ledger/notices.ts";
import type { Pass } from "../pipeline/schedule/schedule.ts";
import type { Queryable } from "../platform/db/pool.ts";
import { createEmailLinks, listEmails } from "../subscriptions/alerts/confirmations.ts";
import { listUserIds, readSettings } from "../subscriptions/alerts/store.ts";
import { watchWebhooks } from "../subscriptions/alerts/watch.ts";
import {
  createWriteNotices,
  createNoticeMailer,
  type Recipient,
  type SendNotice,
} from "../subscriptions/notices/notices.ts";
import { type Platform, composeOutbox, composeTaskPlanning } from "./platform.ts";

export function composeNotices(platform: Platform): WriteNotices {
  return createWriteNotices({
    outbox: composeOutbox(platform),
    clock: platform.clock,
    sendNotice: composeSendNotice(platform),
  });
}

/** The schedule pass that checks webhooks with alerts. */
export function composeAlertPass(platform: Platform): Pass {
  const { db, clock, log } = platform;
  const sendNotice = composeSendNotice(platform);
  return {
    name: "alerts",
    everyMs: 30_000,
    run: () => watchWebhooks({ db, clock, log, sendNotice }),
  };
}

function composeSendNotice(platform: Platform): SendNotice {
  const { ids, config, baseUrl } = platform;
  const tasks = composeTaskPlanning(platform);
  const outbox = composeOutbox(platform);
  const queue = createMessageQueue({ ids, outbox, tasks, mailFrom: config.mail.from });
  return createNoticeMailer({
    baseUrl,
    listRecipients: createListRecipients(platform),
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
}

/** Bounded, because each gets their own mail. */
const maxRecipients = 100;

/** Administrators and chosen users, then confirmed external addresses that none of them has. */
function createListRecipients(platform: Platform) {
  return async (db: Queryable, enterpriseId: number): Promise<Recipient[]> => {
    const { administrators } = await readSettings(db, enterpriseId);
    const userIds = await listUserIds(db, enterpriseId);
    const people = await listNoticeRecipients(db, enterpriseId, { administrators, userIds });
    const known = new Set(people.map(({ email }) => email.toLowerCase()));
    const outside = (await listEmails(db, enterpriseId)).filter(
      ({ email, confirmed }) => confirmed !== null && !known.has(email.toLowerCase()),
    );
    const { language, timeZone } = await findEnterpriseProfile(db, enterpriseId);
    const links = createEmailLinks(platform);
    const strangers = outside.map((one) => ({
      ...{ email: one.email, language, timeZone, stopLink: links.linkTo(one) },
    }));
    return [...people, ...strangers].slice(0, maxRecipients);
  };
}
