import { createHmac, timingSafeEqual } from "node:crypto";
import { problem, type Problem } from "../../contracts/problems.ts";

export type SignedWith = Readonly<{
  algorithm: "sha1" | "sha256";
  encoding: "hex" | "base64";
  secret: string;
  /** What was signed, in this order. */
  parts: readonly (string | Buffer)[];
}>;

/** Whether `signature` is the HMAC of the parts. Takes as long for a wrong one as for a right one. */
export function isSigned(signature: string | undefined, signed: SignedWith): boolean {
  const hmac = createHmac(signed.algorithm, signed.secret);
  for (const part of signed.parts) {
    hmac.update(part);
  }
  const wanted = hmac.digest();
  const given = Buffer.from(signature ?? "", signed.encoding);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export function wrongSignature(): Problem {
  return problem("forbidden", "The signature of the call is missing or wrong.", {
    details: "Signature",
  });
}
