import { randomBytes, randomInt } from "node:crypto";
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
  eventId: () => `evt_${v7()}`,
  uuid: () => v4(),
  base62: (length) => pick(base62, length),
  key: (length) => pick(lowercase, length),
  hex: (bytes) => randomBytes(bytes).toString("hex"),
  digits: (length) => pick("0123456789", length),
  bytes: (length) => randomBytes(length),
};

function pick(alphabet: string, length: number): string {
  let text = "";
  for (let i = 0; i < length; i += 1) {
    text += alphabet[randomInt(alphabet.length)];
  }
  return text;
}
