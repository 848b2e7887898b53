/** What the audit log keeps of changes of webhooks. */
import type { AuditEntry } from "../contracts/audit.ts";
import type { SubscriptionSettings } from "./model.ts";
import { maskedValue } from "../contracts/request-headers.ts";
import { conditionsOf } from "./present.ts";
import { maskCertificate } from "./settings/client-certificate.ts";

type AuditedSettings = Record<string, { raw: unknown; shown: unknown }>;

/** A new webhook has a new secret too, whose value is never shown. */
export function creationOf(settings: SubscriptionSettings): AuditEntry["changes"] {
  return {
    ...changesOf(undefined, settings),
    secret: { to: maskedValue },
  };
}

/**
 * The settings that differ. Of URLs the origin is shown, of headers the names, of a certificate
 * whose it is. Pure.
 */
export function changesOf(
  before: SubscriptionSettings | undefined,
  after: SubscriptionSettings,
): AuditEntry["changes"] {
  const was: AuditedSettings = before === undefined ? {} : auditedSettings(before);
  return Object.fromEntries(
    Object.entries(auditedSettings(after))
      .filter(([name, { raw }]) => JSON.stringify(was[name]?.raw) !== JSON.stringify(raw))
      .map(([name, { shown: to }]) => {
        const from = was[name];
        return [name, from === undefined ? { to } : { from: from.shown, to }];
      }),
  );
}

function auditedSettings(settings: SubscriptionSettings): AuditedSettings {
  return {
    name: plain(settings.name),
    mode: plain(settings.mode),
    url: { raw: settings.url, shown: auditedUrl(settings.url) },
    active: plain(settings.isActive),
    ordered: plain(settings.isOrdered),
    maxInFlight: plain(settings.maxInFlight),
    maxPerSecond: plain(settings.maxPerSecond),
    retrySchedule: plain(settings.retrySchedule),
    filters: plain(settings.filters),
    conditions: plain(conditionsOf(settings.conditions)),
    headers: { raw: settings.headers, shown: settings.headers.map(({ name }) => name) },
    signatures: plain(settings.signatures),
    headerPresets: plain(settings.headerPresets),
    oauth2: { raw: settings.oauth2, shown: auditedClient(settings.oauth2) },
    clientCertificate: {
      raw: settings.clientCertificate,
      shown: auditedCertificate(settings.clientCertificate),
    },
  };
}

function plain(raw: unknown) {
  return { raw, shown: raw };
}

function auditedClient(client: SubscriptionSettings["oauth2"]): object | null {
  return client === null
    ? null
    : { ...client, tokenUrl: auditedUrl(client.tokenUrl), clientSecret: maskedValue };
}

/** Paths and queries of receivers often hold a key. */
function auditedUrl(url: string | null): string | null {
  return url === null ? null : `${new URL(url).origin}/${maskedValue}`;
}

function auditedCertificate(stored: SubscriptionSettings["clientCertificate"]): object | null {
  if (stored === null) {
    return null;
  }
  const { subject, expires, key } = maskCertificate(stored);
  return { subject, expires, key };
}
