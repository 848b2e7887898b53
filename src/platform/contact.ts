/** Normalizes email addresses and phone numbers. Pure. */
import { domainToASCII } from "node:url";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/u;

const domain = new RegExp(`^(?:${label}\\.)+(?=[a-z0-9-]*[a-z])${label}$`, "u");

/**
 * Characters of a domain before its conversion to ASCII, which uses the URL parser: that would
 * accept `x.com/y` as `x.com`, and remove tabs.
 */
const writtenDomain = /^(?:[a-z0-9.-]|[^\p{ASCII}])+$/iu;

/**
 * Longer than any address. The cost of the conversion to ASCII grows with the square of the length.
 */
const maxEmailLength = 320;

/** Lower-cases only the domain. Length limits of RFC 5321. */
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
 * Normalizes to E.164. Requires a country code after `+` or `00`. A leading blank counts as
 * `+`, which clients often forget to encode in a query.
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
