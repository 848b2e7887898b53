/** A mail about a webhook, in the reader's language and the enterprise's time zone. Pure. */
import type { Alert } from "../alerts/due-alerts.ts";
import {
  keptUntil,
  originOf,
  switchesOffAt,
  type StateNotice,
  type SubscriptionNotice,
} from "./operational-events.ts";
import { noticeTexts, type NoticeTexts } from "./mail-texts.ts";

export type MailReader = Readonly<{
  language: string;
  timeZone: string;
  /** Of an address outside the platform: where its owner stops these mails. */
  stopLink?: string;
}>;

/** What a mail is about: a notice, which is told by event as well, or an alert, which is not. */
export type NoticeFacts = Omit<SubscriptionNotice, "notice"> &
  Readonly<{ notice: StateNotice | Alert }>;

type NoticeLocale = keyof typeof noticeTexts;

/**
 * Subject and text for one reader. Of the webhook's address it names the origin only, and of what
 * the receiver answered nothing but the status. The time in the subject is the one that has passed
 * by now: a warning may come after minutes, and is repeated.
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

/** What happened, and what comes next. `until` is the moment that the second is about. */
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

/** A moment of another time zone than intended is better than a notice that cannot be written. */
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

/** In minutes, or from an hour on in whole hours: “24 hours”. */
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

/** In one go: what is put in may hold braces of its own. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/gu, (placeholder, name: string) => values[name] ?? placeholder);
}
