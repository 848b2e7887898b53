/** Rules about single settings. */
import { parseFilter } from "../../contracts/filters.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";

export const maxRetries = 20;

export const maxRetrySeconds = 86_400;

export const maxUrlLength = 2048;

/**
 * Whether webhooks may be sent there, asked when a URL is saved. `href` is its normalised form.
 * The answer never tells what a blocked name leads to.
 */
export type CheckUrl = (
  url: string,
) => Promise<
  { isAllowed: true; href: string } | { isAllowed: false; reason: string; detail: string }
>;

/** Throws the problem of a change to the other mode. The same one may be named again. */
export function checkModeUnchanged(
  before: SubscriptionMode,
  input: SubscriptionMode | undefined,
): void {
  if (input !== undefined && input !== before) {
    const detail = `The mode of a webhook stays what it was made with: ${before}. Add another webhook.`;
    throw invalidParameter("mode", "fixed", detail);
  }
}

/** Throws the problem of the first text that is no filter. */
export function checkFilters(filters: readonly string[]): void {
  filters.forEach((text, index) => {
    if (parseFilter(text) === undefined) {
      const detail = `The filter "${text}" names no event. See GET /api/webhooks/event-types.`;
      throw invalidParameter(`filters[${index}]`, "unknown", detail);
    }
  });
}

const maxTotalSeconds = 7 * 86_400;

/** Throws the problem of a schedule that lasts longer than a webhook's backlog is kept. */
export function checkRetrySchedule(schedule: readonly number[] | null | undefined): void {
  const total = (schedule ?? []).reduce((sum, seconds) => sum + seconds, 0);
  if (total > maxTotalSeconds) {
    const detail = `The times of a retrySchedule are at most ${maxTotalSeconds} seconds in all, seven days.`;
    throw invalidParameter("retrySchedule", "length", detail);
  }
}

/**
 * The URL of the field in the form to store. Throws the problem of one that requests cannot be
 * sent to.
 */
export async function checkedUrl(text: string, checkUrl: CheckUrl, field = "url"): Promise<string> {
  const verdict = await checkUrl(text);
  if (!verdict.isAllowed) {
    throw invalidParameter(field, verdict.reason, verdict.detail);
  }
  return verdict.href;
}

/** Whether requests go to another origin than before, so that nothing stored may go with them. */
export function hasOtherOrigin(after: string | null, before: string | null): boolean {
  return after !== null && originOf(after) !== originOf(before);
}

function originOf(url: string | null): string | undefined {
  return url === null ? undefined : new URL(url).origin;
}

const inboxPath = /\/inbox\/(?<key>[A-Za-z0-9]{22})$/u;

/** The key of an inbox URL, wherever the inbox is served; its query does not count. */
export function inboxKeyOf(url: string | null): string | undefined {
  return url === null || !URL.canParse(url)
    ? undefined
    : inboxPath.exec(new URL(url).pathname)?.groups?.["key"];
}
