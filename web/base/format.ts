/** Formats numbers, times and sizes in the language of the page. */
import { localeOf } from "../shared/locale.ts";

let language = "en";

let locale = localeOf(language);

const dates = remembered(
  (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

const relatives = remembered(
  (options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);

const durationSteps = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;

const exactly: Intl.DateTimeFormatOptions = {
  ...{ year: "numeric", month: "short", day: "numeric" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
};

/**
 * Sets the language of all formats, `en` or `fr`, with the region from the browser's preferred
 * languages.
 */
export function setFormatLanguage(next: string, preferred?: readonly string[]): void {
  language = next;
  locale = localeOf(next, preferred);
}

/** The separator between a name and its value: French has a space before the colon. */
export function colon(): string {
  return language === "fr" ? "\u00A0:" : ":";
}

/** Formats a rate in the unit that gives a readable number: "12/s", "3/min". */
export function formatPace(perSecond: number): string {
  const perMinute = perSecond * 60;
  const isSlow = perSecond < 1 && perSecond > 0;
  return isSlow
    ? `${formatNumber(perMinute, { maximumFractionDigits: perMinute < 1 ? 1 : 0 })}/min`
    : `${formatRate(perSecond)}/s`;
}

/** One decimal below 10, none above: 0.4, 4.2, 42, 4,200. */
export function formatRate(perSecond: number): string {
  return formatNumber(perSecond, { maximumFractionDigits: perSecond < 10 ? 1 : 0 });
}

/** 0.42 → 42 %. Less than everything is never rounded to 100 %: 0.9999 → 99.9 %. */
export function formatShare(share: number): string {
  const isAlmostAll = share > 0.99 && share < 1;
  return formatNumber(isAlmostAll ? Math.min(share, 0.999) : share, {
    style: "percent",
    maximumFractionDigits: share < 0.1 || isAlmostAll ? 1 : 0,
  });
}

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function formatBytes(bytes: number): string {
  const power = Math.min(
    byteUnits.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)),
  );
  return formatNumber(bytes / 1000 ** power, {
    style: "unit",
    unit: byteUnits[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short", // the short form is "0 byte"
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
}

/** Formats a duration of whole seconds in the largest unit that divides it: 1 hour, 3 days. */
export function formatWholeDuration(ms: number): string {
  const seconds = ms / 1_000;
  const step = durationSteps.find((one) => seconds % one.seconds === 0) ?? durationSteps[3];
  return formatNumber(seconds / step.seconds, {
    ...{ style: "unit", unit: step.unit, unitDisplay: "long" },
  });
}

/** Formats a duration in its two largest units: 84 ms, 4.2s, 3m 20s, 2d 4h. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) {
    return formatNumber(Math.round(ms), { style: "unit", unit: "millisecond" });
  }
  const seconds = ms / 1_000;
  if (seconds < 60) {
    return formatNumber(seconds, {
      ...{ style: "unit", unit: "second", unitDisplay: "narrow" },
      maximumFractionDigits: seconds < 10 ? 1 : 0,
    });
  }
  const index = durationSteps.findIndex((step) => seconds >= step.seconds);
  const first = durationSteps[index];
  const second = durationSteps[index + 1];
  if (first === undefined || second === undefined) {
    return unit(Math.round(seconds), "second");
  }
  const whole = Math.floor(seconds / first.seconds);
  const rest = Math.floor((seconds % first.seconds) / second.seconds);
  return rest === 0
    ? unit(whole, first.unit)
    : `${unit(whole, first.unit)} ${unit(rest, second.unit)}`;
}

function unit(value: number, name: string): string {
  return formatNumber(value, { style: "unit", unit: name, unitDisplay: "narrow" });
}

const numbers = remembered(
  (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return numbers(options).format(value);
}

const relativeSteps = [
  { unit: "second", below: 60, seconds: 1 },
  { unit: "minute", below: 3_600, seconds: 60 },
  { unit: "hour", below: 86_400, seconds: 3_600 },
  { unit: "day", below: 30 * 86_400, seconds: 86_400 },
  { unit: "month", below: 365 * 86_400, seconds: 30 * 86_400 },
  { unit: "year", below: Infinity, seconds: 365 * 86_400 },
] as const;

/** "3 minutes ago", "in 20 seconds", "yesterday". A month counts as 30 days. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const step = relativeSteps.find(({ below }) => Math.abs(seconds) < below) ?? relativeSteps[0];
  const isNamed = step.seconds <= 86_400;
  const count = step.unit === "day" ? daysBetween(at, now) : Math.trunc(seconds / step.seconds);
  return relatives({ numeric: isNamed ? "auto" : "always" }).format(count, step.unit);
}

/** Calendar days in the reader's time zone: 30 hours ago may be the day before yesterday. */
function daysBetween(at: Date, now: Date): number {
  const days = dayOf(at) - dayOf(now);
  return days === 0 ? Math.sign(at.getTime() - now.getTime()) : days;
}

function dayOf(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000;
}

const justNow: Readonly<Record<string, string>> = { en: "just now", fr: "à l’instant" };

/** `5s ago`, for live lists. Never in the future, because clocks differ. */
export function formatAgo(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000));
  if (seconds < 2) {
    return justNow[language] ?? "";
  }
  const step = durationSteps.find((one) => seconds >= one.seconds) ?? durationSteps[3];
  // In French, the narrow form would be `-5 s`.
  const style = language === "en" ? "narrow" : "short";
  const count = -Math.floor(seconds / step.seconds);
  return relatives({ numeric: "always", style }).format(count, step.unit);
}

/** As `formatExact`, with milliseconds if there are any. */
export function formatPrecise(at: Date): string {
  return at.getMilliseconds() === 0
    ? formatExact(at)
    : dates({ ...exactly, fractionalSecondDigits: 3 }).format(at);
}

/** The exact time with the reader's time zone. */
export function formatExact(at: Date): string {
  return dates(exactly).format(at);
}

/** The name of the reader's time zone: "CET", "GMT+1". */
export function zoneName(at: Date): string {
  return (
    dates({ timeZoneName: "short" })
      .formatToParts(at)
      .find(({ type }) => type === "timeZoneName")?.value ?? ""
  );
}

/** The time if it is today, otherwise the date and the time. */
export function formatShort(at: Date, now: Date): string {
  const isToday = at.toDateString() === now.toDateString();
  return dates(
    isToday
      ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
      : { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
  ).format(at);
}

/** "14:05:20", for times less than a day ago. */
export function clockText(at: string): string {
  return formatDate(new Date(at), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** Formats the selected parts of a time in the reader's time zone. */
export function formatDate(at: Date, options: Intl.DateTimeFormatOptions): string {
  return dates(options).format(at);
}

/** Memoizes `Intl` formatters: creating one costs far more than using it. */
function remembered<Options, Formatter>(make: (options: Options) => Formatter) {
  const known = new Map<string, Formatter>();
  return (options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const found = known.get(key) ?? make(options);
    known.set(key, found);
    return found;
  };
}
