import { createHmac, hkdfSync } from "node:crypto";

/** Recognizes a phone number without storing it. */
export type HashPhone = (phone: string) => Buffer;

/** Keyed, because all phone numbers could be tried with a plain hash. */
export function createPhoneHash(secretKey: Buffer): HashPhone {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "sightline phone hash 1", 32));
  return (phone) => createHmac("sha256", key).update(phone).digest();
}
