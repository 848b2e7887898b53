import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { maskHeaders } from "./custom-headers.ts";
import { presentHealth } from "./health/present.ts";
import type { SeenSubscription, Settings } from "./model.ts";
import { signingAt } from "./secrets/rotation.ts";
import { maskCertificate } from "./settings/client-certificate.ts";
import { maskOAuth2 } from "./settings/oauth2.ts";

/** A subscription. Its secret only where it was just made; stored secrets of others never. */
export function presentSubscription(subscription: SeenSubscription, secret?: string) {
  return {
    id: subscription.id,
    ...presentSettings(subscription),
    ...(secret === undefined ? {} : { secret }),
    ...presentSigning(subscription),
    created: toTimestamp(subscription.created),
    modified: toTimestamp(subscription.modified),
    disabled_reason: subscription.disabledReason,
    last_success: toTimestampOrNull(subscription.lastSuccess),
    last_failure: toTimestampOrNull(subscription.lastFailure),
    failing_since: toTimestampOrNull(subscription.failingSince),
    health: presentHealth(subscription),
  };
}

function presentSettings({ oauth2, clientCertificate, ...settings }: Settings) {
  return {
    name: settings.name,
    mode: settings.mode,
    url: settings.url,
    active: settings.isActive,
    ordered: settings.isOrdered,
    maxInFlight: settings.maxInFlight,
    maxPerSecond: settings.maxPerSecond,
    retrySchedule: settings.retrySchedule,
    filters: settings.filters,
    conditions: conditionsOf(settings.conditions),
    headers: maskHeaders(settings.headers),
    signatures: settings.signatures,
    headerPresets: settings.headerPresets,
    oauth2: oauth2 === null ? null : maskOAuth2(oauth2),
    clientCertificate: clientCertificate === null ? null : maskCertificate(clientCertificate),
  };
}

/** Stored as text, shown as the object that it is. */
export function conditionsOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}

/** What signs now. Of secrets, only how many there are; keys are public. */
function presentSigning({ signatures, secrets, keys, seenAt }: SeenSubscription) {
  return {
    secrets: signingAt(secrets, seenAt).map(({ until }) => ({ until: untilOf(until) })),
    publicKeys: signatures.includes("v1a")
      ? signingAt(keys, seenAt).map(({ publicKey, until }) => ({
          key: publicKey,
          until: untilOf(until),
        }))
      : [],
  };
}

function untilOf(until: string | null): string | null {
  return until === null ? null : toTimestamp(new Date(until));
}
