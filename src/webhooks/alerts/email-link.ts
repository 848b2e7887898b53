/**
 * Links for addresses outside the platform: who holds one may confirm the address, and stop what
 * it gets. They are signed rather than stored, so that every alert can carry one.
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export type EmailLinks = Readonly<{
  /** Where the address is confirmed, or its mails are stopped. */
  linkTo(email: Readonly<{ id: number; email: string }>): string;
  /** The id that a token names. It proves nothing: see `isSigned`. */
  idOf(token: string): number | undefined;
  isSigned(token: string, email: Readonly<{ id: number; email: string }>): boolean;
}>;

export function createEmailLinks({
  secretKey,
  baseUrl,
}: Readonly<{ secretKey: Buffer; baseUrl: string }>): EmailLinks {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "sightline alert link 1", 32));
  const tokenOf = ({ id, email }: Readonly<{ id: number; email: string }>): string =>
    `${id}.${createHmac("sha256", key).update(`${id}\n${email}`).digest("base64url")}`;
  return {
    // In the fragment: it reaches no server log and no Referer header.
    linkTo: (email) => `${baseUrl}/alerts#token=${tokenOf(email)}`,
    idOf: (token) => {
      const [, id] = /^(\d{1,15})\.[\w-]{43}$/u.exec(token) ?? [];
      return id === undefined ? undefined : Number(id);
    },
    isSigned: (token, email) => {
      const expected = Buffer.from(tokenOf(email));
      const given = Buffer.from(token);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
