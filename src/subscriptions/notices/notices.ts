/**
 * In: changes of the state of subscriptions and deliveries, in the transaction of the change.
 * Out: operational events, and mails to the enterprise's recipients.
 * Guarantee: both are committed together with the change; operational events about deliveries of
 * operational events do not cause further ones.
 * On crash: before the commit nothing happened; after it relay and message tasks find their rows.
 */
import { isOperational } from "../../contracts/events.ts";
import { originOf } from "../../contracts/subscriptions.ts";
import { findLastFailure, type WriteNotices } from "../../pipeline/ledger/notices.ts";
import type { Outbox } from "../../pipeline/outbox/append.ts";
import { minuteMs, type Clock } from "../../platform/clock.ts";
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import type { Alert } from "../alerts/model.ts";
import { noticeTexts, type NoticeTexts } from "./mail-texts.ts";
import {
  type DeadDelivery,
  deadEvent,
  findDeliveryEventSubscribers,
  findNoticedSubscriptions,
  keptUntil,
  stateEvent,
  type StateNotice,
  type SubscriptionNotice,
  switchesOffAt,
} from "./operational-events.ts";

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
      const isRecovery = notice.kind === "subscription.recovered";
      const lastFailure = isRecovery ? null : await findLastFailure(trx, notice);
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

export type MailReader = Readonly<{
  language: string;
  timeZone: string;
  /** The link to unsubscribe, for external addresses. */
  stopLink?: string;
}>;

/** A notice, which is also an operational event, or an alert, which is a mail only. */
export type NoticeFacts = Omit<SubscriptionNotice, "notice"> &
  Readonly<{ notice: StateNotice | Alert }>;

type NoticeLocale = keyof typeof noticeTexts;

/**
 * Subject and text for one recipient. They contain only the origin of the webhook's URL, and only the
 * status of the receiver's answer. The subject contains the time that has passed when the mail is
 * written, because warnings are repeated.
 */
export function noticeMail(
  facts: NoticeFacts,
  { language, timeZone, stopLink }: MailReader,
  link: string,
): { subject: string; text: string } {
  const locale = isKnown(language) ? language : "en";
  const words = noticeTexts[locale];
  const { subject, what, next, until } = partsOf(facts, words);
  const formatter = formatterOf(locale, timeZone);
  const { notice, subscription, at } = facts;
  const values = {
    webhook: nameOf(subscription),
    since: formatTime(sinceOf(facts), formatter),
    until: formatTime(until, formatter),
    duration: durationOf(sinceOf(facts), at, locale),
    origin: originOf(subscription.url) ?? "",
    error: errorOf(facts) ?? "",
    count: notice.kind === "failed" ? new Intl.NumberFormat(locale).format(notice.count) : "",
  };
  const see = `${words.see}\n${link}`;
  const stop = stopLink === undefined ? "" : `${words.stop}\n${stopLink}`;
  const paragraphs = [what, factsOf(facts, words).join("\n"), next, see, stop];
  const text = paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
  return { subject: fill(subject, values), text: `${fill(text, values)}\n` };
}

function isKnown(language: string): language is NoticeLocale {
  return Object.hasOwn(noticeTexts, language);
}

type MailParts = { subject: string; what: string; next: string; until: Date };

/** What happened, and what happens next, at `until`. */
function partsOf(facts: NoticeFacts, words: NoticeTexts): MailParts {
  const { notice, at } = facts;
  const { subject } = words;
  switch (notice.kind) {
    case "subscription.warned":
    case "failing": {
      const until = switchesOffAt(sinceOf(facts));
      return { subject: subject.warned, what: words.warned, next: words.afterWarned, until };
    }
    case "subscription.disabled": {
      const { [notice.reason]: what, afterDisabled: next } = words;
      return { subject: subject.disabled, what, next, until: keptUntil(at) };
    }
    case "subscription.recovered":
      return {
        subject: subject.recovered,
        what: words.recovered,
        next: words.afterRecovered,
        until: at,
      };
    case "behind":
      return { subject: subject.behind, what: words.behind, next: words.afterBehind, until: at };
    case "caught_up":
      return { subject: subject.caughtUp, what: words.caughtUp, next: "", until: at };
    case "failed":
      return { subject: subject.failed, what: words.failed, next: words.afterFailed, until: at };
  }
}

function sinceOf({ notice, at }: NoticeFacts): Date {
  return ("since" in notice ? notice.since : notice.failingSince) ?? at;
}

/** Falls back to UTC: a time in another zone is better than no notice. */
function formatterOf(locale: NoticeLocale, timeZone: string): Intl.DateTimeFormat {
  const options = { dateStyle: "long", timeStyle: "short", hourCycle: "h23" } as const;
  const tag = locale === "en" ? "en-GB" : locale;
  try {
    return new Intl.DateTimeFormat(tag, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(tag, { ...options, timeZone: "UTC" });
  }
}

function nameOf({ name, id }: SubscriptionNotice["subscription"]): string {
  return name === "" ? `#${id}` : `“${name}” (#${id})`;
}

function formatTime(date: Date, formatter: Intl.DateTimeFormat): string {
  return `${formatter.format(date)} (${formatter.resolvedOptions().timeZone})`;
}

/** In minutes, or in whole hours from one hour: “24 hours”. */
function durationOf(since: Date, at: Date, locale: NoticeLocale): string {
  const minutes = Math.max(1, Math.floor((at.getTime() - since.getTime()) / minuteMs));
  const [amount, unit] = minutes < 60 ? [minutes, "minute"] : [Math.floor(minutes / 60), "hour"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(amount);
}

function factsOf(facts: NoticeFacts, words: NoticeTexts): string[] {
  return [
    ...(originOf(facts.subscription.url) === null ? [] : [words.address]),
    ...(errorOf(facts) === undefined || isOver(facts) ? [] : [words.lastError]),
  ];
}

function errorOf({ lastFailure }: NoticeFacts): string | undefined {
  return lastFailure === null || lastFailure.status === null
    ? lastFailure?.result
    : `HTTP ${lastFailure.status}`;
}

function isOver({ notice: { kind } }: NoticeFacts): boolean {
  return kind === "subscription.recovered" || kind === "caught_up";
}

/** In one pass, because inserted values may contain braces. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/gu, (placeholder, name: string) => values[name] ?? placeholder);
}
