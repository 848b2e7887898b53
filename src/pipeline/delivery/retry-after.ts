import { longestDelayMs } from "./backoff.ts";

/**
 * The wait a `Retry-After` asks for, between 0 and 24 hours. A date that is over is 0; what is
 * neither seconds nor an HTTP date is undefined, as if the header were absent.
 */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  const time = /^\d+$/u.test(text) ? now.getTime() + Number(text) * 1000 : parseHttpDate(text);
  return time === undefined
    ? undefined
    : Math.min(Math.max(time - now.getTime(), 0), longestDelayMs);
}

/** The forms of RFC 9110: IMF-fixdate, RFC 850, and asctime, which has no zone but means GMT. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+?(?<zone> GMT)?$/u;

/** `Date.parse` alone would take "5 apples" for a date. */
function parseHttpDate(text: string): number | undefined {
  const match = httpDate.exec(text);
  if (match === null) {
    return undefined;
  }
  const time = Date.parse(match.groups?.["zone"] === undefined ? `${text} GMT` : text);
  return Number.isNaN(time) ? undefined : time;
}
