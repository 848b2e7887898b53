import { randomBytes, randomFillSync, randomInt } from "node:crypto";
import { v4, v7 } from "uuid";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const lowercase = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Ids and random values as a dependency, so that tests can set them. All come from the CSPRNG. */
export type Ids = {
  /** The id of an event: unique and sortable by time. */
  eventId(): string;
  uuid(): string;
  /** Secrets in public links. 22 characters hold 130 bits. */
  base62(length: number): string;
  /** Keys in the format of service keys: `[a-z0-9]`. */
  key(length: number): string;
  hex(bytes: number): string;
  /** Digits that a phone can dial. */
  digits(length: number): string;
  bytes(length: number): Buffer;
};

export const randomIds: Ids = {
  eventId: () => `evt_${sortableUuid()}`,
  uuid: () => v4(),
  base62: (length) => pick(base62, length),
  key: (length) => pick(lowercase, length),
  hex: (bytes) => randomBytes(bytes).toString("hex"),
  digits: (length) => pick("0123456789", length),
  bytes: (length) => randomBytes(length),
};

/** The canonical form of a UUID, for JSON Schemas. */
export const uuidPattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

const canonicalUuid = new RegExp(uuidPattern, "u");

/** Whether the text is a UUID as Postgres and this module write it: in lower case. */
export function isCanonicalUuid(text: string): boolean {
  return canonicalUuid.test(text);
}

/** Whether the text is a UUID as clients may write it: in upper or lower case. */
export function isUuid(text: string): boolean {
  return isCanonicalUuid(text.toLowerCase());
}

const blockBytes = 16;

const pool = new Uint8Array(256 * blockBytes);

const poolView = new DataView(pool.buffer);

let used = pool.length;

/** The time and the counter of the last UUID. */
let last = { msecs: 0, seq: 0 };

/**
 * A UUID v7. The counter keeps the order within a millisecond, as in uuid's `v7()` without options,
 * which asks the CSPRNG for the bytes of each id. That costs more than all the rest.
 */
function sortableUuid(): string {
  const random = randomBlock();
  const now = Date.now();
  last =
    now > last.msecs
      ? { msecs: now, seq: poolView.getUint32(random.byteOffset) >>> 1 }
      : { msecs: last.msecs, seq: last.seq + 1 };
  return v7({ msecs: last.msecs, seq: last.seq, random });
}

/** Bytes of the pool. None is used twice. */
function randomBlock(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += blockBytes;
  return pool.subarray(used - blockBytes, used);
}

function pick(alphabet: string, length: number): string {
  let text = "";
  for (let i = 0; i < length; i += 1) {
    text += alphabet[randomInt(alphabet.length)];
  }
  return text;
}
