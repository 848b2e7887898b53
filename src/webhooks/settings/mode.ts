/** Push or pull: which settings make sense for which. */
import { invalidParameter } from "../../contracts/problems.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";

type OfRequests = {
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

/** Settings of requests, which a pull subscription never sends, and whether each is set. */
const requestSettings: readonly { field: string; isSet: (settings: OfRequests) => boolean }[] = [
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
export function checkMode(settings: OfRequests): void {
  const set = requestSettings.find(({ isSet }) => settings.mode === "pull" && isSet(settings));
  if (set !== undefined) {
    const detail = `A webhook of mode pull sends no requests: ${set.field} cannot be set.`;
    throw invalidParameter(set.field, "pull", detail);
  }
}

/** Throws the problem of a change to the other mode. The same one may be named again. */
export function keepMode(before: SubscriptionMode, given: SubscriptionMode | undefined): void {
  if (given !== undefined && given !== before) {
    const detail = `The mode of a webhook stays what it was made with: ${before}. Add another webhook.`;
    throw invalidParameter("mode", "fixed", detail);
  }
}
