/**
 * Parses typed or pasted guests into contacts, by the API's rules: email addresses, and phone
 * numbers with country code. Pure.
 */
import { isE164, type ReadPhone } from "../../shared/phone.ts";

export const mostGuests = 50;

/** A length check, until the numbering plans are loaded. */
export const readByLength: ReadPhone = (international) => {
  const digits = international.replaceAll(/[^\d+]/gu, "");
  return isE164(digits) ? digits : undefined;
};

export type Contact =
  | Readonly<{ kind: "email" | "phone"; value: string }>
  | Readonly<{ kind: "fault"; reason: "email" | "prefix" | "phone" | "other"; value: string }>;

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

/** Merges contacts without duplicates; valid ones are normalized. */
export function addContacts(
  before: readonly string[],
  text: string,
  readPhone: ReadPhone,
): string[] {
  return [
    ...new Set([
      ...before,
      ...splitContacts(text).map((part) => readContact(part, readPhone).value),
    ]),
  ];
}

/** Splits at commas, semicolons, tabs and line breaks; email addresses also at spaces. */
export function splitContacts(text: string): string[] {
  return text
    .split(/[,;\t\r\n]+/u)
    .map(bare)
    .flatMap((part) => ((part.match(/@/gu) ?? []).length > 1 ? part.split(/\s+/u) : [part]))
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Handles `Jane Doe <jane@example.com>`, as copied from mail programs. */
function bare(part: string): string {
  return /<([^<>]+)>\s*$/u.exec(part)?.[1] ?? part;
}

/** Number of invalid contacts. */
export function countFaults(contacts: readonly string[], readPhone: ReadPhone): number {
  return contacts.filter((contact) => readContact(contact, readPhone).kind === "fault").length;
}

export function readContact(typed: string, readPhone: ReadPhone): Contact {
  const text = typed.trim();
  if (text.includes("@")) {
    return readEmail(text);
  }
  return /^[+\d][\d\s()./-]*$/u.test(text)
    ? readNumber(text, readPhone)
    : { kind: "fault", reason: "other", value: text };
}

const local = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/u;

const domain = new RegExp(`^(?:${label}\\.)+(?=[a-z0-9-]*[a-z])${label}$`, "u");

function readEmail(text: string): Contact {
  const at = text.lastIndexOf("@");
  const name = text.slice(0, at);
  const host = asciiDomain(text.slice(at + 1)).toLowerCase();
  const email = `${name}@${host}`;
  const isRight = name.length <= 64 && email.length <= 254 && local.test(name) && domain.test(host);
  return isRight
    ? { kind: "email", value: email }
    : { kind: "fault", reason: "email", value: text };
}

/** The domain in ASCII (IDNA); empty if invalid. */
function asciiDomain(text: string): string {
  // `URL` would accept a port, a path or credentials.
  if (text === "" || /[\s/?#@:\\[\]%]/u.test(text)) {
    return "";
  }
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return "";
  }
}

function readNumber(text: string, readPhone: ReadPhone): Contact {
  const international = text.replace(/^00/u, "+");
  if (!international.startsWith("+")) {
    return { kind: "fault", reason: "prefix", value: text };
  }
  const value = readPhone(international);
  return value === undefined
    ? { kind: "fault", reason: "phone", value: text }
    : { kind: "phone", value };
}
