import { createHmac, timingSafeEqual, verify } from "node:crypto";
import { maskedValue } from "../contracts/request-headers.ts";
import { signingPrefixes } from "../contracts/subscriptions.ts";
import { advisoryLocks, type Db, type Queryable, rowsOf } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { ed25519PublicKey } from "../platform/ed25519.ts";
import { toUnixSeconds } from "../platform/timestamps.ts";

export type NewInboxRequest = {
  key: string;
  headers: HeaderList;
  body: string;
  /** Null if no secret is known. */
  isVerified: boolean | null;
};

export type InboxRequest = NewInboxRequest & { id: number; received: Date };

export type InboxRange = { after: number; before: number; limit: number };

/** Number of newest requests that an inbox keeps. */
const keptPerInbox = 500;

/**
 * Stores requests in order, and deletes all but the newest of each inbox. One transaction at a time
 * in all processes: ids become visible in order, and readers that poll for higher ids miss nothing.
 */
export async function insertRequests(db: Db, requests: readonly NewInboxRequest[]): Promise<void> {
  const rows = requests.map(({ key, headers, body, isVerified }, position) => ({
    position,
    inbox_key: key,
    headers,
    // Postgres text cannot contain NUL, and the body may contain anything.
    body: body.replaceAll("\u0000", "\uFFFD"),
    is_verified: isVerified,
  }));
  await inTransaction(db, async (trx) => {
    await rowsOf(trx, "SELECT pg_advisory_xact_lock(?)", [advisoryLocks.inbox]);
    await rowsOf(
      trx,
      `INSERT INTO inbox_requests (inbox_key, received_at, headers, body, is_verified)
       SELECT inbox_key, clock_timestamp(), headers, body, is_verified
       FROM json_to_recordset(?::json) AS input (position integer, inbox_key text, headers json,
         body text, is_verified boolean)
       ORDER BY position`,
      [JSON.stringify(rows)],
    );
    await rowsOf(
      trx,
      `DELETE FROM inbox_requests r
       USING unnest(?::text[]) AS input (inbox_key)
       WHERE r.inbox_key = input.inbox_key AND r.id <= (
         SELECT beyond.id FROM inbox_requests beyond WHERE beyond.inbox_key = input.inbox_key
         ORDER BY beyond.id DESC OFFSET ? LIMIT 1)`,
      [[...new Set(requests.map(({ key }) => key))], keptPerInbox],
    );
  });
}

type InboxRow = {
  id: number;
  inbox_key: string;
  received_at: Date;
  headers: HeaderList;
  body: string;
  is_verified: boolean | null;
};

/** Approximate maximum size of an answer: bodies as JSON, and headers. */
const maxListed = 4 * 1024 * 1024;

/**
 * Requests between two ids (exclusive), newest first. Returns fewer than `limit` if they are large,
 * but at least one. `hasMore` tells whether the range contains others.
 */
export async function listRequests(
  db: Db,
  key: string,
  { after, before, limit }: InboxRange,
): Promise<{ requests: InboxRequest[]; hasMore: boolean }> {
  const rows = await rowsOf<InboxRow & { found: number }>(
    db,
    `WITH candidates AS (
       SELECT id, inbox_key, received_at, headers, body, is_verified,
         octet_length(to_json(body)::text) + octet_length(headers::text) AS weight
       FROM inbox_requests WHERE inbox_key = ? AND id > ? AND id < ? ORDER BY id DESC LIMIT ?
     ), weighed AS (
       SELECT *, row_number() OVER newest_first AS ordinal,
         sum(weight) OVER newest_first AS total, count(*) OVER () AS found
       FROM candidates WINDOW newest_first AS (ORDER BY id DESC)
     )
     SELECT id, inbox_key, received_at, headers, body, is_verified, found FROM weighed
     WHERE ordinal = 1 OR (total <= ? AND ordinal <= ?) ORDER BY id DESC`,
    [key, after, before, limit + 1, maxListed, limit],
  );
  const requests = rows.map((row) => ({
    id: row.id,
    key: row.inbox_key,
    received: row.received_at,
    headers: row.headers,
    body: row.body,
    isVerified: row.is_verified,
  }));
  return { requests, hasMore: (rows[0]?.found ?? 0) > rows.length };
}

export async function countRequests(db: Db, key: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM inbox_requests WHERE inbox_key = ?",
    [key],
  );
  return row?.count ?? 0;
}

/** Deletes the requests of an inbox, in the transaction that removes the inbox. */
export async function deleteInboxRequests(db: Queryable, key: string): Promise<void> {
  await rowsOf(db, "DELETE FROM inbox_requests WHERE inbox_key = ?", [key]);
}

const oldBatch = 5_000;

/**
 * Deletes requests of all inboxes that arrived before the horizon, in one batch. Returns their
 * number. Rows are ordered by arrival, so only the oldest are read.
 */
export async function deleteOldInboxRequests(db: Queryable, horizon: Date): Promise<number> {
  const rows = await rowsOf(
    db,
    `DELETE FROM inbox_requests WHERE id IN (
       SELECT id FROM (SELECT id, received_at FROM inbox_requests ORDER BY id LIMIT ?) AS oldest
       WHERE received_at < ?
     ) RETURNING id`,
    [oldBatch, horizon],
  );
  return rows.length;
}

/** `body` is null if it was removed before. */
export type InboxEvent = Readonly<{ eventId: string; body: string | null }>;

/**
 * Deletes the requests of one event from these inboxes, and those of test sends, which have its body
 * and another id. An inbox has few requests, so each is read completely. Returns the number of
 * deleted requests.
 */
export async function deleteInboxEvent(
  db: Queryable,
  keys: readonly string[],
  { eventId, body }: InboxEvent,
): Promise<number> {
  const rows = await rowsOf(
    db,
    `DELETE FROM inbox_requests r
     WHERE r.inbox_key = ANY(?::text[]) AND (r.body = ?::text OR EXISTS (
       SELECT 1 FROM json_array_elements(r.headers) AS header
       WHERE lower(header ->> 0) = 'webhook-id' AND header ->> 1 = ?))
     RETURNING r.id`,
    [keys, body, eventId],
  );
  return rows.length;
}

/** A received request; the body has the exact bytes that were sent. */
export type SignedRequest = {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
  body: Buffer;
};

/**
 * Independent implementation of Standard Webhooks, so that a bug in the signer is not mirrored
 * here. `keys`: secrets for `v1`, public keys (`whpk_…`) for `v1a`.
 */
export function hasValidSignature(
  { id, timestamp, signature, body }: SignedRequest,
  keys: readonly string[],
  now: Date,
): boolean {
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return false;
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const isSigned = keys.some((key) =>
    key.startsWith(signingPrefixes.publicKey)
      ? signaturesOf(signature, "v1a,").some((one) => isSignedWith(key, signed, one))
      : hasMac(signaturesOf(signature, "v1,"), key, signed),
  );
  return isSigned && isFresh(timestamp, now);
}

/** More than any sender has; each of `v1a` costs a hash of the body. */
const maxSignatures = 10;

function signaturesOf(header: string, scheme: string): Buffer[] {
  return header
    .split(" ")
    .filter((one) => one.startsWith(scheme))
    .slice(0, maxSignatures)
    .map((one) => Buffer.from(one.slice(scheme.length), "base64"));
}

function isSignedWith(publicKey: string, signed: Buffer, signature: Buffer): boolean {
  const bytes = Buffer.from(publicKey.slice(signingPrefixes.publicKey.length), "base64");
  return verify(null, signed, ed25519PublicKey(bytes), signature);
}

function hasMac(macs: readonly Buffer[], secret: string, signed: Buffer): boolean {
  const key = Buffer.from(secret.replace(signingPrefixes.secret, ""), "base64");
  const expected = createHmac("sha256", key).update(signed).digest();
  return macs.some((mac) => isEqual(mac, expected));
}

function isEqual(input: Buffer, expected: Buffer): boolean {
  return input.length === expected.length && timingSafeEqual(input, expected);
}

/** Maximum distance of the timestamp from now, as in common receiver libraries. */
const toleranceSeconds = 300;

function isFresh(timestamp: string, now: Date): boolean {
  return (
    /^\d{1,12}$/u.test(timestamp) &&
    Math.abs(toUnixSeconds(now) - Number(timestamp)) <= toleranceSeconds
  );
}

/** Names and values in the order on the wire. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Headers that the sender generates, and the headers of the signature. */
const unmaskedNames =
  /^(?:host|user-agent|date|connection|accept|accept-(?:charset|encoding|language)|content-(?:type|length)|webhook-.+)$/iu;

/** Masks custom headers: anybody with the address of the inbox can read them. */
export function maskHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, unmaskedNames.test(name) ? value : maskedValue]);
}
