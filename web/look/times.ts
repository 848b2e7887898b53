/** Times as people read them, on the pages that are too small for more. */
import type { Language } from "./words.ts";

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const justNow = { en: "just now", fr: "à l’instant" } as const;
/** The narrow form of French is `-5 s`. */
const styles = { en: "narrow", fr: "short" } as const;

/** `5s ago`. Never in the future: clocks differ, and that is not what the reader asks. */
export const agoIn = (language: Language): ((date: Date, now: Date) => string) => {
  const style = styles[language];
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "always", style });
  return (date, now) => {
    const seconds = Math.max(0, Math.round((now.getTime() - date.getTime()) / 1000));
    const [unit, size] = units.find(([, length]) => seconds >= length) ?? (["second", 1] as const);
    return seconds < 2 ? justNow[language] : relative.format(-Math.floor(seconds / size), unit);
  };
};

/** The exact time in the reader's zone, with the zone's name. */
export const exactIn = (language: Language): ((date: Date) => string) => {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    timeZoneName: "short",
  });
  return (date) => format.format(date).replace(/[.,]000/u, "");
};
