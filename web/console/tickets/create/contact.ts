/** Parses the customer's contact as typed by an agent. Pure. */
import { isE164 } from "../../../shared/phone.ts";

export type Contact =
  | Readonly<{ kind: "phone"; value: string }>
  | Readonly<{ kind: "email"; value: string }>
  /** Invalid; `reason` is a text key. */
  | Readonly<{ kind: "unclear"; reason: "email" | "prefix" | "digits" | "neither" }>
  | Readonly<{ kind: "empty" }>;

/** `prefix`: country code for national numbers, such as `33`; undefined if unknown. */
export function recogniseContact(typed: string, prefix: string | undefined): Contact {
  const text = typed.trim();
  if (text === "") {
    return { kind: "empty" };
  }
  if (text.includes("@")) {
    return isAddress(text) ? { kind: "email", value: text } : { kind: "unclear", reason: "email" };
  }
  return phoneOf(text, prefix);
}

function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u.test(text);
}

function phoneOf(text: string, prefix: string | undefined): Contact {
  // "+33 (0)6 …" is a common notation; its 0 is not dialled.
  const digits = text.replace(/\(0\)/gu, "").replace(/[\s().\-/\u00A0]/gu, "");
  if (!/^\+?\d+$/u.test(digits)) {
    return { kind: "unclear", reason: "neither" };
  }
  const international = withPrefix(digits, prefix);
  if (international === undefined) {
    return { kind: "unclear", reason: "prefix" };
  }
  return isE164(international)
    ? { kind: "phone", value: international }
    : { kind: "unclear", reason: "digits" };
}

/** International with 00 or +; national if the country code is known. */
function withPrefix(digits: string, prefix: string | undefined): string | undefined {
  if (digits.startsWith("+")) {
    return digits;
  }
  if (digits.startsWith("00")) {
    return `+${digits.slice(2)}`;
  }
  return digits.startsWith("0") && prefix !== undefined
    ? `+${prefix}${digits.slice(1)}`
    : undefined;
}
