/** Recipients: phone numbers and email addresses with their validation errors. Pure. */
import { isE164, type ReadPhone } from "../shared/phone.ts";

export type Kind = "phone" | "email";

/** The input, with its kind if known. */
export type Draft = Readonly<{ text: string; as?: Kind | undefined }>;

export type Fault = "email" | "phone" | "phone_prefix" | "other";

export type Recipient = Readonly<{
  text: string;
  kind: Kind;
  /** The normalized value, by which duplicates are detected. */
  value: string;
  fault: Fault | undefined;
}>;

/** A rough check until the validation chunk is loaded; the server makes the final check. */
export const roughPhone: ReadPhone = (international) => {
  const digits = international.replaceAll(/[\s()./-]/gu, "");
  return isE164(digits) ? digits : undefined;
};

/** Splits a list and drops empty parts. Keeps a leading space, see `withPrefix`. */
export function splitList(list: string, separator: RegExp): string[] {
  return list
    .split(separator)
    .map((part) => part.replaceAll(/\p{Cc}+/gu, " ").replace(/\s+$/u, ""))
    .filter((part) => part.trim() !== "");
}

/** Without duplicates, in input order. */
export function readRecipients(drafts: readonly Draft[], readPhone: ReadPhone): Recipient[] {
  const known = new Map<string, Recipient>();
  for (const draft of drafts) {
    const recipient = readRecipient(draft, readPhone);
    const key = `${recipient.kind} ${recipient.value}`;
    if (!known.has(key)) {
      known.set(key, recipient);
    }
  }
  return [...known.values()];
}

export function readRecipient({ text, as }: Draft, readPhone: ReadPhone): Recipient {
  switch (as ?? kindOf(text)) {
    case "email":
      return readEmail(text);
    case "phone":
      return readNumber(text, readPhone);
    case undefined:
      return readOther(text);
  }
}

/** Guesses the kind of typed text. */
function kindOf(text: string): Kind | undefined {
  if (text.includes("@")) {
    return "email";
  }
  return /^[+\d\s()./-]+$/u.test(text) ? "phone" : undefined;
}

const emailShape =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[^\s@.,;<>()[\]"\\]+\.)+[^\s@.,;<>()[\]"\\]*[^\s@.,;<>()[\]"\\\d][^\s@.,;<>()[\]"\\]*$/u;

function readEmail(text: string): Recipient {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const isRight = emailShape.test(trimmed) && at <= 64 && trimmed.length <= 254;
  return {
    ...{ text: trimmed, kind: "email" },
    value: `${trimmed.slice(0, at)}@${trimmed.slice(at + 1).toLowerCase()}`,
    fault: isRight ? undefined : "email",
  };
}

function readNumber(text: string, readPhone: ReadPhone): Recipient {
  const international = withPrefix(text);
  const shown = { text: international, kind: "phone" } as const;
  if (!international.startsWith("+")) {
    const isNumber = /^[\d\s()./-]+$/u.test(international);
    return { ...shown, value: international, fault: isNumber ? "phone_prefix" : "phone" };
  }
  const value = readPhone(international);
  return value === undefined
    ? { ...shown, value: international, fault: "phone" }
    : { ...shown, value, fault: undefined };
}

/** A leading space is an unencoded `+` of a URL. */
function withPrefix(text: string): string {
  return text
    .replace(/^\s+(?=\d)/u, "+")
    .trim()
    .replace(/^00/u, "+");
}

function readOther(text: string): Recipient {
  return {
    ...{ text: text.trim(), kind: "email", value: text.trim() },
    fault: "other",
  };
}
