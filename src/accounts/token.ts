import { createHash } from "node:crypto";
import type { Ids } from "../platform/ids.ts";

/** A fresh opaque token, and what is stored of it. */
export function newToken(ids: Pick<Ids, "bytes">): { token: string; hash: Buffer } {
  const token = ids.bytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

const apiTokenPrefix = "slt_";

/** A fresh API token. Its prefix tells people and scanners of source code what they found. */
export function newApiToken(ids: Pick<Ids, "bytes">): { token: string; hash: Buffer } {
  const token = `${apiTokenPrefix}${ids.bytes(32).toString("base64url")}`;
  return { token, hash: hashToken(token) };
}

/** What is stored of a token. It has 256 random bits, so a plain hash cannot be guessed back. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

const apiToken = /^slt_[A-Za-z0-9_-]{43}$/u;

/** By its form: it is longer than an access token, which may begin the same by chance. */
export function isApiToken(token: string): boolean {
  return apiToken.test(token);
}
