/**
 * Who is asked to come, as they are typed or pasted → contacts, by the rules of the service: email
 * addresses, and phone numbers with their country code. Pure.
 */

export const mostGuests = 50;

/** E.164 of a number with its `+`; undefined for what is none. */
export type ReadPhone = (international: string) => string | undefined;

/** As long as the numbering plans of the countries are not there: what may be a number. */
export const readByLength: ReadPhone = (international) => {
  const digits = international.replaceAll(/[^\d+]/gu, "");
  return /^\+[1-9]\d{6,14}$/u.test(digits) ? digits : undefined;
};

export type Contact =
  | Readonly<{ kind: "email" | "phone"; value: string }>
  | Readonly<{ kind: "fault"; reason: "email" | "prefix" | "phone" | "other"; value: string }>;

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

/** Those before and these, each once, right ones in the form in which they are sent. */
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

/** The parts of what was typed or pasted: by commas, semicolons, tabs and lines, addresses also by blanks. */
export function splitContacts(text: string): string[] {
  return text
    .split(/[,;\t\r\n]+/u)
    .map(bare)
    .flatMap((part) => ((part.match(/@/gu) ?? []).length > 1 ? part.split(/\s+/u) : [part]))
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** `Jane Doe <jane@example.com>` as mail programs copy it. */
function bare(part: string): string {
  return /<([^<>]+)>\s*$/u.exec(part)?.[1] ?? part;
}

/** How many of them cannot be invited as they are written. */
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

/** The domain as mail servers write it; empty where it cannot be one. */
function asciiDomain(text: string): string {
  // A URL would take a port, a path or a user along.
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
