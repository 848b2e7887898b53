/**
 * In: what became true about subscriptions and deliveries, in the transaction that made it so.
 * Out: operational events, and mails to whom the enterprise wants told.
 * Guarantee: both are committed with what they tell of or not at all; what is told about a
 * subscription's own deliveries never causes more of the same.
 * On crash: before the commit nothing happened; after it relay and message tasks find their rows.
 */
import { operationalKinds } from "../../contracts/events.ts";
import type { WriteNotices } from "../../pipeline/ledger/notices.ts";
import type { Outbox } from "../../pipeline/outbox/append.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Trx, Queryable } from "../../platform/db/pool.ts";
import { findDeliveryEventSubscribers, findNoticedSubscriptions } from "./store.ts";
import { findLastFailure } from "../../pipeline/ledger/queries/last-failure.ts";
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

/** Somebody who is told. `language` is a code such as `fr`. */
export type Recipient = Readonly<{
  email: string;
  language: string;
  timeZone: string;
  /** Of an address outside the platform: where its owner stops these mails. */
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
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** Whom the enterprise wants told; nobody who did not agree. */
  listRecipients(db: Queryable, enterpriseId: number): Promise<readonly Recipient[]>;
  /** Stores mails of one enterprise in the transaction; they are sent after the commit. */
  queueMails(trx: Trx, mails: readonly NoticeMail[]): Promise<void>;
}>;

export type SendNotice = (trx: Trx, facts: NoticeFacts) => Promise<void>;

export function createWriteNotices({ outbox, clock, sendNotice }: NoticeDeps): WriteNotices {
  return async (trx, notices) => {
    const deaths = notices.filter((notice) => notice.kind === "delivery.dead");
    const states = notices.filter((notice) => notice.kind !== "delivery.dead");
    const told = await describeNotices(trx, states, clock.now());
    const dead = await filterSubscribedDeaths(trx, deaths);
    const events = [...told.map(stateEvent), ...dead.map(deadEvent)];
    if (events.length > 0) {
      await outbox.append(trx, events);
    }
    for (const one of told) {
      await sendNotice(trx, one);
    }
  };
}

/**
 * With the facts to tell. A subscription that was deleted meanwhile is nobody's concern any more,
 * and how one fares that its owner switched off neither.
 */
async function describeNotices(
  trx: Trx,
  notices: readonly StateNotice[],
  at: Date,
): Promise<SubscriptionNotice[]> {
  const told: SubscriptionNotice[] = [];
  if (notices.length === 0) {
    return told;
  }
  const subscriptions = await findNoticedSubscriptions(trx, notices);
  for (const notice of notices) {
    const subscription = subscriptions.get(notice.subscriptionId);
    if (subscription && (subscription.isActive || notice.kind === "subscription.disabled")) {
      const isOver = notice.kind === "subscription.recovered";
      const lastFailure = isOver ? null : await findLastFailure(trx, notice);
      told.push({ notice, subscription, lastFailure, at });
    }
  }
  return told;
}

/**
 * Those that anybody will get. A receiver that is dead at the end of its schedule makes thousands
 * of them, and hardly any enterprise asks: the events, and the relay's work for each, would be
 * for nobody. What is told of a delivery of what is told would never come to an end.
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
  const askers = await findDeliveryEventSubscribers(trx, enterpriseIds);
  return ofService.filter(({ enterpriseId, subscriptionId }) =>
    askers.get(enterpriseId)?.some((id) => id !== subscriptionId),
  );
}

function isOperational(object: string): boolean {
  return operationalKinds.some((kind) => kind === object);
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
