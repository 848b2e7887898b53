/** A mail about a webhook, in the reader's language and the enterprise's time zone. Pure. */
import { keptUntil, originOf, switchesOffAt, type Told } from "./told.ts";
import { wording, type Words } from "./wording.ts";

export type Reader = Readonly<{ language: string; timeZone: string }>;

type Locale = keyof typeof wording;

const isKnown = (language: string): language is Locale => Object.hasOwn(wording, language);

/** A moment of another time zone than intended is better than a notice that cannot be written. */
const formatterOf = (locale: Locale, timeZone: string): Intl.DateTimeFormat => {
  const options = { dateStyle: "long", timeStyle: "short", hourCycle: "h23" } as const;
  const tag = locale === "en" ? "en-GB" : locale;
  try {
    return new Intl.DateTimeFormat(tag, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(tag, { ...options, timeZone: "UTC" });
  }
};

const momentOf = (date: Date, formatter: Intl.DateTimeFormat): string =>
  `${formatter.format(date)} (${formatter.resolvedOptions().timeZone})`;

/** In one go: what is put in may hold braces of its own. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/gu, (placeholder, name: string) => values[name] ?? placeholder);

const nameOf = ({ name, id }: Told["subscription"]): string =>
  name === "" ? `#${id}` : `“${name}” (#${id})`;

const errorOf = ({ lastFailure }: Told): string | undefined =>
  lastFailure === null || lastFailure.status === null
    ? lastFailure?.result
    : `HTTP ${lastFailure.status}`;

/** What happened, and what comes next. `until` is the moment that the second is about. */
const partsOf = (
  { notice, at }: Told,
  words: Words,
): { subject: string; what: string; next: string; until: Date } => {
  const { subject } = words;
  switch (notice.kind) {
    case "subscription.warned": {
      const until = switchesOffAt(notice.failingSince);
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
  }
};

/**
 * Subject and text for one reader. Of the webhook's address it names the origin only, and of what
 * the receiver answered nothing but the status.
 */
export const noticeMail = (
  told: Told,
  { language, timeZone }: Reader,
  link: string,
): { subject: string; text: string } => {
  const locale = isKnown(language) ? language : "en";
  const words = wording[locale];
  const { subject, what, next, until } = partsOf(told, words);
  const formatter = formatterOf(locale, timeZone);
  const origin = originOf(told.subscription.url);
  const error = errorOf(told);
  const values = {
    webhook: nameOf(told.subscription),
    since: momentOf(told.notice.failingSince ?? told.at, formatter),
    until: momentOf(until, formatter),
    ...(origin === null ? {} : { origin }),
    ...(error === undefined ? {} : { error }),
  };
  const facts = [
    ...(origin === null ? [] : [words.address]),
    ...(error === undefined || told.notice.kind === "subscription.recovered"
      ? []
      : [words.lastError]),
  ];
  const paragraphs = [what, facts.join("\n"), next, `${words.see}\n${link}`];
  const text = paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
  return { subject: fill(subject, values), text: `${fill(text, values)}\n` };
};
