/** Bytes of a message → text. The message says itself in MSH-18 how it is written. Pure. */
import { invalidParameter } from "../contracts/problems.ts";

/**
 * The text of a message; 400 where the bytes are none. Without a charset it is UTF-8 where it can
 * be, else Latin-1, which old systems send without saying so.
 */
export function toText(bytes: Buffer, charset?: string): string {
  const body = trimFrame(bytes);
  const start = body.subarray(0, 4).toString("latin1");
  if (!/^MSH[!-/:-@[-`{-~]$/u.test(start) || body.includes(0)) {
    throw notHl7("The body is no HL7 v2 message: it does not begin with an MSH segment.");
  }
  const declared = declaredIn(body) || (charset ?? "");
  const label = labelOf(declared);
  if (declared !== "" && label === undefined) {
    throw notHl7("The message is written in a character set that is not known here.");
  }
  const text =
    label === undefined
      ? (decode(body, "utf-8") ?? decode(body, "iso-8859-1"))
      : decode(body, label);
  if (text === undefined) {
    throw notHl7("The message is not written in the character set that it names.");
  }
  return text;
}

/** What frames and editors leave around a message. */
function trimFrame(bytes: Buffer): Buffer {
  const isUtf8Mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  const start = isUtf8Mark ? 3 : bytes[0] === 0x0b ? 1 : 0;
  return bytes.subarray(start);
}

function notHl7(detail: string): Error {
  return invalidParameter("body", "format", detail);
}

/** MSH-18 of what may be a message. Its letters are the same in every charset that is taken. */
function declaredIn(bytes: Buffer): string {
  const header = /^[^\r\n]*/u.exec(bytes.subarray(0, 4_096).toString("latin1"))?.[0] ?? "";
  const field = header.split(header.charAt(3))[17] ?? "";
  return field.split(/[~^]/u)[0] ?? "";
}

/** Names of table 0211 and of HTTP → what `TextDecoder` knows. */
function labelOf(name: string): string | undefined {
  const known = name.trim().toUpperCase().replaceAll(/[\s_]/gu, "-");
  const iso = /^(?:ISO-?)?8859[-/](?<part>1[0135]|14|[1-9])$/u.exec(known)?.groups?.["part"];
  if (iso !== undefined) {
    return `iso-8859-${iso}`;
  }
  const isUtf8 = ["UNICODE-UTF-8", "UTF-8", "UTF8", "ASCII", "US-ASCII"].includes(known);
  return isUtf8 ? "utf-8" : undefined;
}

function decode(bytes: Buffer, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
