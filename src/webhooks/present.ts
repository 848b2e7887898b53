import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { maskHeaders } from "./custom-headers.ts";
import type { Subscription } from "./model.ts";

/** A subscription. Its secret only where it was just made; the values of its headers never. */
export const presentSubscription = (subscription: Subscription, secret?: string) => ({
  id: subscription.id,
  name: subscription.name,
  url: subscription.url,
  active: subscription.isActive,
  ordered: subscription.isOrdered,
  maxInFlight: subscription.maxInFlight,
  filters: subscription.filters,
  headers: maskHeaders(subscription.headers),
  ...(secret === undefined ? {} : { secret }),
  created: toTimestamp(subscription.created),
  modified: toTimestamp(subscription.modified),
  disabled_reason: subscription.disabledReason,
  last_success: toTimestampOrNull(subscription.lastSuccess),
  last_failure: toTimestampOrNull(subscription.lastFailure),
  failing_since: toTimestampOrNull(subscription.failingSince),
});
