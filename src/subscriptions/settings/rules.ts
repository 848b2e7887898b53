/** Rules about single settings. */
import { parseFilter } from "../../contracts/filters.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { originOf, type SubscriptionMode } from "../../contracts/subscriptions.ts";
import { keepPausedMs } from "../../pipeline/ledger/switch-off.ts";

export const maxRetries = 20;

export const maxRetrySeconds = 86_400;

export const maxUrlLength = 2048;

/**
 * Whether webhooks may be sent to a URL, checked when it is saved. `href` is its normalised form.
 * The detail never reveals the address of a blocked name.
 */
export type CheckUrl = (
  url: string,
) => Promise<
  { isAllowed: true; href: string } | { isAllowed: false; reason: string; detail: string }
>;

/** Rejects a change of the mode. The same mode may be sent again. */
export function checkModeUnchanged(
  before: SubscriptionMode,
  input: SubscriptionMode | undefined,
): void {
  if (input !== undefined && input !== before) {
    const detail = `The mode of a webhook cannot be changed; this one is ${before}. Create another webhook.`;
    throw invalidParameter("mode", "fixed", detail);
  }
}

/** Throws the problem of the first invalid filter. */
export function checkFilters(filters: readonly string[]): void {
  filters.forEach((text, index) => {
    if (parseFilter(text) === undefined) {
      const detail = `The filter "${text}" matches no event type. GET /api/webhooks/event-types lists them all.`;
      throw invalidParameter(`filters[${index}]`, "unknown", detail);
    }
  });
}

const maxTotalSeconds = keepPausedMs / 1_000;

/** Rejects a schedule that is longer than paused deliveries are kept (7 days). */
export function checkRetrySchedule(schedule: readonly number[] | null | undefined): void {
  const total = (schedule ?? []).reduce((sum, seconds) => sum + seconds, 0);
  if (total > maxTotalSeconds) {
    const detail = `The pauses of retrySchedule may add up to at most ${maxTotalSeconds} seconds (seven days).`;
    throw invalidParameter("retrySchedule", "length", detail);
  }
}

/**
 * The normalised URL, to be stored. Throws the problem of a URL that requests cannot be sent to;
 * `field` is its name.
 */
export async function checkedUrl(text: string, checkUrl: CheckUrl, field = "url"): Promise<string> {
  const verdict = await checkUrl(text);
  if (!verdict.isAllowed) {
    throw invalidParameter(field, verdict.reason, verdict.detail);
  }
  return verdict.href;
}

/** Whether requests go to another origin than before. Stored secrets must not be sent there. */
export function hasOtherOrigin(after: string | null, before: string | null): boolean {
  return after !== null && originOf(after) !== originOf(before);
}

const inboxPath = /\/inbox\/(?<key>[A-Za-z0-9]{22})$/u;

/** The key of an inbox URL, whatever its host and query string. */
export function inboxKeyOf(url: string | null): string | undefined {
  return url === null || !URL.canParse(url)
    ? undefined
    : inboxPath.exec(new URL(url).pathname)?.groups?.["key"];
}
