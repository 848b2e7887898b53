/** A mail about a webhook, in the reader's language and the enterprise's time zone. Pure. */
import { originOf } from "../../contracts/subscriptions.ts";
import type { Alert } from "../alerts/due-alerts.ts";
import {
  keptUntil,
  switchesOffAt,
  type StateNotice,
  type SubscriptionNotice,
} from "./operational-events.ts";
import { noticeTexts, type NoticeTexts } from "./mail-texts.ts";

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

const minuteMs = 60_000;

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
