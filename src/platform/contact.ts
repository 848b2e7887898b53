/** E-mail addresses and phone numbers as clients write them → as they are stored. Pure. */
import { domainToASCII } from "node:url";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/u;

const domain = new RegExp(`^(?:${label}\\.)+(?=[a-z0-9-]*[a-z])${label}$`, "u");

/**
 * What a domain may be made of before it is written in ASCII. That is done as for the host of a URL,
 * which would take `x.com/y` for `x.com`, and drop tabs.
 */
const writtenDomain = /^(?:[a-z0-9.-]|[^\p{ASCII}])+$/iu;

/** Longer than any address. What it costs to write a domain in ASCII grows with its square. */
const maxEmailLength = 320;

/** Lower-cases the domain, and only that. Lengths as RFC 5321 limits them. */
export function parseEmail(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxEmailLength) {
    return undefined;
  }
  const at = trimmed.lastIndexOf("@");
  const local = trimmed.slice(0, at);
  const written = trimmed.slice(at + 1);
  if (!writtenDomain.test(written)) {
    return undefined;
  }
  const host = domainToASCII(written).toLowerCase();
  const email = `${local}@${host}`;
  const isValid =
    at > 0 &&
    local.length <= 64 &&
    host.length <= 253 &&
    email.length <= 254 &&
    localPart.test(local) &&
    domain.test(host);
  return isValid ? email : undefined;
}

/**
 * E.164. The international prefix is needed, as `+` or `00`. A blank in its place is taken as the
 * `+` it was before a client forgot to encode it in a query.
 */
export function parsePhone(text: string): string | undefined {
  const international = text
    .replace(/^\s+(?=\d)/u, "+")
    .trim()
    .replace(/^00/u, "+");
  if (!international.startsWith("+")) {
    return undefined;
  }
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
}
