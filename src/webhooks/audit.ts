/** What the audit log keeps of changes of webhooks. */
import type { AuditEntry } from "../contracts/audit.ts";
import type { ApiRequest, Caller } from "../http/route.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Author } from "./changes.ts";
import type { Settings } from "./model.ts";
import { maskedValue } from "./custom-headers.ts";
import { conditionsOf } from "./present.ts";
import { maskCertificate } from "./settings/client-certificate.ts";

export type Audit = { write(trx: Trx, entry: AuditEntry): Promise<void> };

/** A user who changes webhooks. */
export type Actor = Author & Readonly<{ login: string; requestId?: string }>;

export const authorOf = ({ enterpriseId, userId }: Caller): Author => ({ enterpriseId, userId });

export const actorOf = ({
  caller,
  requestId,
}: Pick<ApiRequest, "caller" | "requestId">): Actor => ({
  ...authorOf(caller),
  login: caller.login,
  requestId,
});

/** Paths and queries of receivers often hold a key. */
const shownUrl = (url: string | null): string | null =>
  url === null ? null : `${new URL(url).origin}/${maskedValue}`;

type Shown = Record<string, { raw: unknown; shown: unknown }>;

const plain = (raw: unknown) => ({ raw, shown: raw });

const shownClient = (client: Settings["oauth2"]): object | null =>
  client === null
    ? null
    : { ...client, tokenUrl: shownUrl(client.tokenUrl), clientSecret: maskedValue };

const shownCertificate = (stored: Settings["clientCertificate"]): object | null => {
  if (stored === null) {
    return null;
  }
  const { subject, expires, key } = maskCertificate(stored);
  return { subject, expires, key };
};

const shownOf = (settings: Settings): Shown => ({
  name: plain(settings.name),
  mode: plain(settings.mode),
  url: { raw: settings.url, shown: shownUrl(settings.url) },
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
  oauth2: { raw: settings.oauth2, shown: shownClient(settings.oauth2) },
  clientCertificate: {
    raw: settings.clientCertificate,
    shown: shownCertificate(settings.clientCertificate),
  },
});

/**
 * The settings that differ. Of URLs the origin is shown, of headers the names, of a certificate
 * whose it is. Pure.
 */
export const changesOf = (before: Settings | undefined, after: Settings): AuditEntry["changes"] => {
  const was: Shown = before === undefined ? {} : shownOf(before);
  return Object.fromEntries(
    Object.entries(shownOf(after))
      .filter(([name, { raw }]) => JSON.stringify(was[name]?.raw) !== JSON.stringify(raw))
      .map(([name, { shown: to }]) => {
        const from = was[name];
        return [name, from === undefined ? { to } : { from: from.shown, to }];
      }),
  );
};

/** A new webhook has a new secret too, whose value is never shown. */
export const creationOf = (settings: Settings): AuditEntry["changes"] => ({
  ...changesOf(undefined, settings),
  secret: { to: maskedValue },
});

/** The entry about a change of a webhook. */
export const entryOf = (
  actor: Actor,
  id: number,
  { action, changes }: Pick<AuditEntry, "action" | "changes">,
): AuditEntry => ({
  enterpriseId: actor.enterpriseId,
  userId: actor.userId,
  login: actor.login,
  ...(actor.requestId === undefined ? {} : { requestId: actor.requestId }),
  action,
  object: "webhook",
  objectId: id,
  changes,
});
