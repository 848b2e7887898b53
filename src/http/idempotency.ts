/**
 * `Idempotency-Key`: the answer is stored in the transaction of the use case (see
 * `IdempotencyReservation` in route.ts), so that neither a crash nor a race executes a request twice.
 *
 * A transaction-scoped advisory lock guards the key: a concurrent request with the same key is
 * rejected at once. The unique index would make it wait until the first one ends.
 */
import { createHash } from "node:crypto";
import { invalidParameter, problem } from "../contracts/problems.ts";
import { rowsOf, type Db, type Queryable } from "../platform/db/pool.ts";
import { isUuid } from "../platform/ids.ts";
import { type SecretBox, tryOpen } from "../platform/secret-box.ts";
import type { Answer, Caller, IdempotencyReservation } from "./route.ts";

/** The owner of the key, and the request it was sent with. */
export type KeyedRequest = Readonly<{
  caller: Pick<Caller, "userId" | "enterpriseId">;
  key: string;
  requestHash: Buffer;
}>;

/** Thrown inside the use case's transaction to roll it back: the request was already answered. */
export class AlreadyAnswered extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super("The response was already sent");
    this.name = "AlreadyAnswered";
    this.answer = answer;
  }
}

type KeyRow = {
  request_hash: Buffer;
  status: Answer["status"] | null;
  location: string | null;
  body_sealed: Buffer | null;
};

export type Idempotency = {
  /**
   * The stored answer of an earlier equal request. Throws a conflict if the earlier request was
   * different.
   */
  find(request: KeyedRequest): Promise<Answer | undefined>;
  reservation(request: KeyedRequest): IdempotencyReservation;
};

type Box = Pick<SecretBox, "open" | "seal">;

export function createIdempotency(db: Db, box: Box): Idempotency {
  return {
    find: async (request) => {
      const row = await findKey(db, request);
      return row === undefined ? undefined : answerOf(row, request, box);
    },
    reservation: (request) => ({
      begin: async (trx) => {
        if (await takeKey(trx, request)) {
          return;
        }
        const row = await findKey(trx, request);
        if (row === undefined) {
          throw conflict("A request with this Idempotency-Key is being processed.");
        }
        throw new AlreadyAnswered(answerOf(row, request, box));
      },
      finish: (trx, answer) =>
        storeAnswer(trx, request, {
          status: answer.status,
          location: (answer.headers?.["Location"] as string | undefined) ?? null,
          bodySealed: seal(box, request, answer),
        }),
    }),
  };
}

/** The row of a key. Rows older than a day count as expired. */
async function findKey(db: Queryable, { caller, key }: KeyedRequest): Promise<KeyRow | undefined> {
  const [row] = await rowsOf<KeyRow>(
    db,
    `SELECT request_hash, status, location, body_sealed FROM idempotency_keys
     WHERE user_id = ? AND key = ? AND created_at > now() - interval '24 hours'`,
    [caller.userId, key],
  );
  return row;
}

function answerOf(row: KeyRow, request: KeyedRequest, box: Box): Answer {
  if (!row.request_hash.equals(request.requestHash)) {
    throw conflict("The Idempotency-Key was used for a different request.");
  }
  if (row.status === null) {
    throw conflict("The response to the first request with this Idempotency-Key was not stored.");
  }
  return {
    status: row.status,
    ...(row.body_sealed === null ? {} : { body: bodyOf(row.body_sealed, request, box) }),
    headers: {
      ...(row.location === null ? {} : { Location: row.location }),
      "Idempotent-Replayed": "true",
    },
  };
}

function bodyOf(sealed: Buffer, request: KeyedRequest, box: Box): unknown {
  const opened = tryOpen(box, sealed, aadOf(request));
  if (opened === undefined) {
    throw conflict(
      "The request was executed. Its response cannot be decrypted: SECRET_KEY has changed since.",
    );
  }
  return JSON.parse(opened);
}

function conflict(detail: string) {
  return problem("conflict", detail, { details: "Header Idempotency-Key" });
}

/**
 * Claims the key for this transaction. False if another transaction holds it, or if a row that has
 * not expired is committed.
 */
async function takeKey(db: Queryable, request: KeyedRequest): Promise<boolean> {
  const { caller, key, requestHash } = request;
  const rows = await rowsOf(
    db,
    `INSERT INTO idempotency_keys (enterprise_id, user_id, key, request_hash)
     SELECT ?, ?, ?, ? WHERE pg_try_advisory_xact_lock(hashtextextended(?, 0))
     ON CONFLICT (user_id, key) DO UPDATE SET request_hash = excluded.request_hash,
       status = NULL, location = NULL, body_sealed = NULL, created_at = now()
     WHERE idempotency_keys.created_at <= now() - interval '24 hours'
     RETURNING key`,
    [caller.enterpriseId, caller.userId, key, requestHash, `idempotency ${caller.userId} ${key}`],
  );
  return rows.length > 0;
}

type StoredAnswer = { status: number; location: string | null; bodySealed: Buffer | null };

/** Stores the answer with the key that this transaction claimed. */
async function storeAnswer(
  db: Queryable,
  request: KeyedRequest,
  { status, location, bodySealed }: StoredAnswer,
): Promise<void> {
  await rowsOf(
    db,
    `UPDATE idempotency_keys SET status = ?, location = ?, body_sealed = ?
     WHERE user_id = ? AND key = ?`,
    [status, location, bodySealed, request.caller.userId, request.key],
  );
}

function seal(box: Box, request: KeyedRequest, { body }: Answer): Buffer | null {
  return body === undefined ? null : box.seal(JSON.stringify(body), aadOf(request));
}

/** Answers may contain access tokens, so they are encrypted and bound to their key. */
function aadOf({ caller, key }: KeyedRequest): string {
  return `idempotency_keys/${caller.userId}/${key}`;
}

/** The key in the header. Throws a 400 unless it is valid. */
export function parseIdempotencyKey(header: string): string {
  if (!/^[\x20-\x7e]{1,255}$/u.test(header)) {
    throw invalidParameter(
      "Idempotency-Key",
      "format",
      "The Idempotency-Key header is invalid: it must be 1 to 255 printable ASCII characters.",
    );
  }
  return header;
}

/**
 * The key of a public request. Its owner is unknown, and who repeats the key gets the first answer:
 * only a UUID is unique and cannot be guessed. Undefined for anything else.
 */
export function parseClientKey(header: string | undefined): string | undefined {
  return header !== undefined && isUuid(header) ? header : undefined;
}

/**
 * Two requests are equal if the operation and its validated input are, whatever the order of keys.
 */
export function hashRequest(operationId: string, input: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([operationId, input], sortKeys))
    .digest();
}

function sortKeys(_name: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}
