/** Push or pull: which settings make sense for which. */
import { invalidParameter } from "../../contracts/problems.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";

type RequestSettings = {
  mode: SubscriptionMode;
  url: string | null;
  isOrdered: boolean;
  maxInFlight: number | null;
  maxPerSecond: number | null;
  retrySchedule: readonly number[] | null;
  headers: readonly unknown[];
  headerPresets: readonly unknown[];
  oauth2: object | null;
  clientCertificate: object | null;
};

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

/** Settings of requests, which a pull subscription never sends, and whether each is set. */
const requestSettings: readonly { field: string; isSet: (settings: RequestSettings) => boolean }[] =
  [
    { field: "url", isSet: ({ url }) => url !== null },
    { field: "ordered", isSet: ({ isOrdered }) => isOrdered },
    { field: "maxInFlight", isSet: ({ maxInFlight }) => maxInFlight !== null },
    { field: "maxPerSecond", isSet: ({ maxPerSecond }) => maxPerSecond !== null },
    { field: "retrySchedule", isSet: ({ retrySchedule }) => retrySchedule !== null },
    { field: "headers", isSet: ({ headers }) => headers.length > 0 },
    { field: "headerPresets", isSet: ({ headerPresets }) => headerPresets.length > 0 },
    { field: "oauth2", isSet: ({ oauth2 }) => oauth2 !== null },
    { field: "clientCertificate", isSet: ({ clientCertificate }) => clientCertificate !== null },
  ];

/** Throws the problem of a setting of requests on a subscription that is pulled. */
export function checkMode(settings: RequestSettings): void {
  const set = requestSettings.find(({ isSet }) => settings.mode === "pull" && isSet(settings));
  if (set !== undefined) {
    const detail = `A webhook of mode pull sends no requests: ${set.field} cannot be set.`;
    throw invalidParameter(set.field, "pull", detail);
  }
}

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
