import { createHash } from "node:crypto";
import type { Ids } from "../platform/ids.ts";

/** What is stored of a token. It has 256 random bits, so a plain hash cannot be guessed back. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** A fresh opaque token, and what is stored of it. */
export const newToken = (ids: Pick<Ids, "bytes">): { token: string; hash: Buffer } => {
  const token = ids.bytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
};
