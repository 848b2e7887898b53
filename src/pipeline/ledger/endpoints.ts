import {
  certificateAad,
  headersAad,
  keysAad,
  oauth2Aad,
  secretsAad,
  type ClientCertificate,
  type CustomHeader,
  type OAuth2Client,
  type SignatureScheme,
  type SigningKeyPair,
  type SigningSecret,
} from "../../contracts/subscriptions.ts";
import { type HeaderPreset } from "../../contracts/request-headers.ts";
import { rowsOf, type Db } from "../../platform/db/pool.ts";
import type { SecretBox } from "../../platform/secret-box.ts";

/** Options that only some subscriptions use. */
export type AuthOptions = Readonly<{
  /** Whether `v1` signatures are sent; `v1a` signatures are sent if there are keys. */
  hasV1: boolean;
  keys: readonly SigningKeyPair[];
  presets: readonly HeaderPreset[];
  oauth2: OAuth2Client | null;
  certificate: ClientCertificate | null;
}>;

/** The URL, headers and secrets of a subscription, decrypted: keep in memory only. */
export type EndpointConfig = {
  revision: number;
  url: string;
  headers: readonly CustomHeader[];
  /** The newest first. */
  secrets: readonly SigningSecret[];
  /** Seconds before the second attempt, the third …; null for the default schedule. */
  retrySchedule: readonly number[] | null;
  /** Null for most subscriptions, which then pay nothing for these options. */
  authOptions: AuthOptions | null;
};

/**
 * The endpoint, or why it cannot be used, for instance because the key does not decrypt its
 * secrets.
 */
export type EndpointLookup =
  | { kind: "endpoint"; endpoint: EndpointConfig }
  | { kind: "unusable"; reason: string };

export type EndpointConfigs = {
  /**
   * The endpoint at `revision` or newer. Cached per revision and process: until a change it is the
   * same object with the same members.
   */
  find(subscriptionId: number, revision: number): Promise<EndpointLookup>;
};

type EndpointRow = {
  id: number;
  enterprise_id: number;
  revision: number;
  url: string | null;
  headers_sealed: Buffer | null;
  secret_sealed: Buffer;
  retry_schedule: number[] | null;
  signatures: SignatureScheme[];
  header_presets: HeaderPreset[];
  keys_sealed: Buffer | null;
  oauth2_sealed: Buffer | null;
  certificate_sealed: Buffer | null;
};

type SecretOpener = Pick<SecretBox, "open">;

const maxCached = 10_000;

export function createEndpointConfigs(db: Db, box: SecretOpener): EndpointConfigs {
  const cache = new Map<number, EndpointConfig>();
  const cachedAt = (subscriptionId: number, revision: number): EndpointLookup | undefined => {
    const endpoint = cache.get(subscriptionId);
    return endpoint !== undefined && endpoint.revision >= revision
      ? { kind: "endpoint", endpoint }
      : undefined;
  };
  return {
    find: async (subscriptionId, revision) => {
      const cached = cachedAt(subscriptionId, revision);
      if (cached !== undefined) {
        return cached;
      }
      const found = await loadEndpoint(db, box, subscriptionId);
      if (found.kind === "unusable") {
        return found;
      }
      // Of concurrent reads the first object wins, because tokens are cached by it.
      const known = cachedAt(subscriptionId, found.endpoint.revision);
      if (known !== undefined) {
        return known;
      }
      if (cache.size >= maxCached) {
        cache.clear();
      }
      cache.set(subscriptionId, found.endpoint);
      return found;
    },
  };
}

/** Reads the endpoint from the database. */
export async function loadEndpoint(
  db: Db,
  box: SecretOpener,
  subscriptionId: number,
): Promise<EndpointLookup> {
  const [row] = await rowsOf<EndpointRow>(
    db,
    `SELECT id, enterprise_id, revision, url, headers_sealed, secret_sealed, retry_schedule,
       signatures, header_presets, keys_sealed, oauth2_sealed, certificate_sealed
     FROM subscriptions WHERE id = ? AND deleted_at IS NULL`,
    [subscriptionId],
  );
  return row === undefined
    ? { kind: "unusable", reason: "the subscription was deleted" }
    : openRow(row, box);
}

function openRow(row: EndpointRow, box: SecretOpener): EndpointLookup {
  const { id, enterprise_id: owner, url } = row;
  if (url === null) {
    return { kind: "unusable", reason: "the subscription has no URL" };
  }
  try {
    const headers = openJson(box, row.headers_sealed, headersAad(owner, id)) ?? [];
    const secrets = openJson(box, row.secret_sealed, secretsAad(owner, id)) ?? [];
    const endpoint: EndpointConfig = {
      revision: row.revision,
      url,
      headers: headers as CustomHeader[],
      secrets: newestFirst(secrets as SigningSecret[]),
      retrySchedule: row.retry_schedule,
      authOptions: openAuthOptions(row, box),
    };
    return { kind: "endpoint", endpoint };
  } catch {
    return { kind: "unusable", reason: "its stored secrets cannot be decrypted with SECRET_KEY" };
  }
}

function openAuthOptions(row: EndpointRow, box: SecretOpener): AuthOptions | null {
  const { id, enterprise_id: owner } = row;
  const hasV1 = row.signatures.includes("v1");
  const hasV1a = row.signatures.includes("v1a");
  const presets = row.header_presets;
  const oauth2 = openJson(box, row.oauth2_sealed, oauth2Aad(owner, id)) as OAuth2Client | null;
  const sealedCertificate = row.certificate_sealed;
  const certificate = openJson(
    box,
    sealedCertificate,
    certificateAad(owner, id),
  ) as ClientCertificate | null;
  if (hasV1 && !hasV1a && presets.length === 0 && oauth2 === null && certificate === null) {
    return null;
  }
  const keys = openJson(box, hasV1a ? row.keys_sealed : null, keysAad(owner, id)) ?? [];
  return { hasV1, keys: newestFirst(keys as SigningKeyPair[]), presets, oauth2, certificate };
}

/** The settings wrote and authenticated this JSON, so it is not validated again. */
function openJson(box: SecretOpener, sealed: Buffer | null, aad: string): unknown {
  return sealed === null ? null : JSON.parse(box.open(sealed, aad));
}

/** Current secrets before those that expire. */
function newestFirst<T extends { until: string | null }>(signers: readonly T[]): T[] {
  return signers.toSorted((a, b) => Number(a.until !== null) - Number(b.until !== null));
}
