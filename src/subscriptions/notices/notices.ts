/**
 * In: changes of the state of subscriptions and deliveries, in the transaction of the change.
 * Out: operational events, and mails to the enterprise's recipients.
 * Guarantee: both are committed together with the change; operational events about deliveries of
 * operational events do not cause further ones.
 * On crash: before the commit nothing happened; after it relay and message tasks find their rows.
 */
import { isOperational } from "../../contracts/events.ts";
import { type WriteNotices, findLastFailure } from "../../pipeline/ledger/notices.ts";
import type { Outbox } from "../../pipeline/outbox/append.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Trx, Queryable } from "../../platform/db/pool.ts";
import { findDeliveryEventSubscribers, findNoticedSubscriptions } from "./store.ts";
import {
  deadEvent,
  stateEvent,
  type DeadDelivery,
  type StateNotice,
  type SubscriptionNotice,
} from "./operational-events.ts";
import { noticeMail, type NoticeFacts } from "./mail.ts";

export type NoticeDeps = Readonly<{
  outbox: Outbox;
  clock: Clock;
  sendNotice: SendNotice;
}>;

/** A recipient. `language` is a code such as `fr`. */
export type Recipient = Readonly<{
  email: string;
  language: string;
  timeZone: string;
  /** The link to unsubscribe, for external addresses. */
  stopLink?: string;
}>;

export type NoticeMail = Readonly<{
  enterpriseId: number;
  to: string;
  subject: string;
  text: string;
  at: Date;
}>;

export type NoticeMailerDeps = Readonly<{
  /** Public base URL without a trailing slash. */
  baseUrl: string;
  /** The enterprise's recipients, confirmed ones only. */
  listRecipients(db: Queryable, enterpriseId: number): Promise<readonly Recipient[]>;
  /** Stores mails of one enterprise in the transaction; they are sent after the commit. */
  queueMails(trx: Trx, mails: readonly NoticeMail[]): Promise<void>;
}>;

export type SendNotice = (trx: Trx, facts: NoticeFacts) => Promise<void>;

export function createWriteNotices({ outbox, clock, sendNotice }: NoticeDeps): WriteNotices {
  return async (trx, notices) => {
    const deaths = notices.filter((notice) => notice.kind === "delivery.dead");
    const states = notices.filter((notice) => notice.kind !== "delivery.dead");
    const notified = await describeNotices(trx, states, clock.now());
    const dead = await filterSubscribedDeaths(trx, deaths);
    const events = [...notified.map(stateEvent), ...dead.map(deadEvent)];
    if (events.length > 0) {
      await outbox.append(trx, events);
    }
    for (const one of notified) {
      await sendNotice(trx, one);
    }
  };
}

/**
 * Adds the details of each notice. Leaves out subscriptions that were deleted, and the health of
 * those that their owner switched off.
 */
async function describeNotices(
  trx: Trx,
  notices: readonly StateNotice[],
  at: Date,
): Promise<SubscriptionNotice[]> {
  const described: SubscriptionNotice[] = [];
  if (notices.length === 0) {
    return described;
  }
  const subscriptions = await findNoticedSubscriptions(trx, notices);
  for (const notice of notices) {
    const subscription = subscriptions.get(notice.subscriptionId);
    if (subscription && (subscription.isActive || notice.kind === "subscription.disabled")) {
      const isOver = notice.kind === "subscription.recovered";
      const lastFailure = isOver ? null : await findLastFailure(trx, notice);
      described.push({ notice, subscription, lastFailure, at });
    }
  }
  return described;
}

/**
 * The notices about deliveries that some subscription selects. A dead receiver causes thousands, and
 * few enterprises select them, so the others would only load the relay. Notices about deliveries of
 * operational events are left out, because they would never end.
 */
async function filterSubscribedDeaths(
  trx: Trx,
  deaths: readonly DeadDelivery[],
): Promise<readonly DeadDelivery[]> {
  const ofService = deaths.filter(({ object }) => !isOperational(object));
  if (ofService.length === 0) {
    return [];
  }
  const enterpriseIds = ofService.map(({ enterpriseId }) => enterpriseId);
  const subscribers = await findDeliveryEventSubscribers(trx, enterpriseIds);
  return ofService.filter(({ enterpriseId, subscriptionId }) =>
    subscribers.get(enterpriseId)?.some((id) => id !== subscriptionId),
  );
}

export function createNoticeMailer({
  baseUrl,
  listRecipients,
  queueMails,
}: NoticeMailerDeps): SendNotice {
  return async (trx, facts) => {
    const { id, enterpriseId } = facts.subscription;
    const link = `${baseUrl}/settings/webhooks/${id}`;
    const mails = (await listRecipients(trx, enterpriseId)).map((reader) => ({
      enterpriseId,
      to: reader.email,
      ...noticeMail(facts, reader, link),
      at: facts.at,
    }));
    if (mails.length > 0) {
      await queueMails(trx, mails);
    }
  };
}
