/**
 * Access to the fields of an HL7 message by segment, field and component, unescaped. Also HL7 times
 * and durations. Pure.
 */
import { Hl7Message, type Hl7Segment } from "@medplum/core";
import { invalidParameter } from "../contracts/problems.ts";
import { fromWallClock, isShowable } from "../platform/timestamps.ts";

/** Position of a value, counted from 1 as in the standard. */
type FieldPosition = Readonly<{ component?: number; repetition?: number; subcomponent?: number }>;

export type MessageHeader = Readonly<{
  sendingApplication: string;
  sendingFacility: string;
  receivingApplication: string;
  receivingFacility: string;
  type: string;
  event: string;
  controlId: string;
  processing: string;
  version: string;
}>;

export type ParsedMessage = Readonly<{
  text: string;
  header: MessageHeader;
  /** Empty if the segment, field or component is missing. */
  value(segment: string, field: number, spot?: FieldPosition): string;
  /** The number of repetitions of a field; 0 if it is missing. */
  repetitions(segment: string, field: number): number;
}>;

type Delimiters = Readonly<{
  field: string;
  component: string;
  repetition: string;
  escape: string;
  sub: string;
}>;

type TimeGroups = Record<
  "day" | "hour" | "minute" | "second" | "sign" | "ahead",
  string | undefined
>;

const unknownHeader: MessageHeader = {
  sendingApplication: "",
  sendingFacility: "",
  receivingApplication: "",
  receivingFacility: "",
  type: "",
  event: "",
  controlId: "",
  processing: "",
  version: "",
};

/**
 * The header of a message that may be invalid otherwise, for the acknowledgement. Invalid UTF-8
 * becomes U+FFFD.
 */
export function readHeader(bytes: Buffer): MessageHeader {
  const [line = ""] = new TextDecoder("utf-8").decode(bytes).split(/[\r\n]/u);
  try {
    return parseMessage(line).header;
  } catch {
    return unknownHeader;
  }
}

/** Far more than an appointment needs. */
const maxSegments = 500;

/** Segments end with a carriage return; line feeds are accepted as well. */
export function parseMessage(text: string): ParsedMessage {
  const lines = text
    .replaceAll("\u001c", "\r")
    .split(/[\r\n]+/u)
    .filter((line) => line.trim() !== "");
  const marks = delimitersOf(text);
  if (lines.length > maxSegments || new Set(Object.values(marks)).size < 5) {
    throw invalidParameter("body", "format", "The body is not a valid HL7 v2 message.");
  }
  const parsed = Hl7Message.parse(lines.join("\r"));
  const reader = readerOf(parsed, marks);
  return { text: lines.join("\r"), header: headerOf(reader.value), ...reader };
}

function delimitersOf(text: string): Delimiters {
  return {
    field: text.charAt(3),
    component: text.charAt(4),
    repetition: text.charAt(5),
    escape: text.charAt(6),
    sub: text.charAt(7),
  };
}

function readerOf(parsed: Hl7Message, marks: Delimiters) {
  const unescape = unescapeWith(marks);
  const find = (name: string): Hl7Segment | undefined => parsed.getSegment(name);
  const value: ParsedMessage["value"] = (segment, field, spot = {}) => {
    const { component = 1, repetition = 1, subcomponent = 1 } = spot;
    const components = find(segment)?.getField(field)?.components[repetition - 1];
    const whole = components?.[component - 1] ?? "";
    return orEmpty(unescape(whole.split(marks.sub)[subcomponent - 1] ?? ""));
  };
  const repetitions: ParsedMessage["repetitions"] = (segment, field) =>
    find(segment)?.getField(field)?.components.length ?? 0;
  return { value, repetitions };
}

function unescapeWith(marks: Delimiters) {
  const plain: Readonly<Record<string, string>> = {
    F: marks.field,
    S: marks.component,
    T: marks.sub,
    R: marks.repetition,
    E: marks.escape,
    ".br": "\n",
  };
  // Escapes only pattern syntax, because the `u` flag rejects other escapes such as `\-`.
  const mark = marks.escape.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
  const sequence = new RegExp(`${mark}([FSTRE]|\\.br|X(?:[0-9A-Fa-f]{2})+)${mark}`, "gu");
  return (text: string): string =>
    marks.escape === ""
      ? text
      : text.replace(sequence, (_all, code: string) => plain[code] ?? hexText(code.slice(1)));
}

/** Drops U+0000, which Postgres cannot store. */
function hexText(hex: string): string {
  return Buffer.from(hex, "hex").toString("latin1").replaceAll("\u0000", "");
}

/** `""` means that the sender deletes the value. */
function orEmpty(text: string): string {
  return text === '""' ? "" : text.trim();
}

const maxHeaderLength = 200;

function headerOf(value: ParsedMessage["value"]): MessageHeader {
  const at = (field: number, component = 1): string =>
    value("MSH", field, { component }).slice(0, maxHeaderLength);
  return {
    sendingApplication: at(3),
    sendingFacility: at(4),
    receivingApplication: at(5),
    receivingFacility: at(6),
    type: at(9),
    event: at(9, 2),
    controlId: at(10),
    processing: at(11),
    version: at(12),
  };
}

/**
 * Decodes a message; 400 if the bytes are not one. Without a charset, tries UTF-8, then Latin-1,
 * which older systems send without declaring it.
 */
export function toText(bytes: Buffer, charset?: string): string {
  const body = stripFraming(bytes);
  const start = body.subarray(0, 4).toString("latin1");
  if (!/^MSH[!-/:-@[-`{-~]$/u.test(start) || body.includes(0)) {
    throw notHl7("The body is not an HL7 v2 message: it does not start with an MSH segment.");
  }
  const declared = declaredCharset(body) || (charset ?? "");
  const label = toDecoderLabel(declared);
  if (declared !== "" && label === undefined) {
    throw notHl7("The character set of the message is not supported.");
  }
  const text =
    label === undefined
      ? (decode(body, "utf-8") ?? decode(body, "iso-8859-1"))
      : decode(body, label);
  if (text === undefined) {
    throw notHl7("The message is not encoded in the character set that it names.");
  }
  return text;
}

/** Removes a byte order mark or an MLLP start byte. */
function stripFraming(bytes: Buffer): Buffer {
  const isUtf8Mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  const start = isUtf8Mark ? 3 : bytes[0] === 0x0b ? 1 : 0;
  return bytes.subarray(start);
}

function notHl7(detail: string): Error {
  return invalidParameter("body", "format", detail);
}

/** MSH-18. Read as Latin-1, because charset names are ASCII in every supported charset. */
function declaredCharset(bytes: Buffer): string {
  const header = /^[^\r\n]*/u.exec(bytes.subarray(0, 4_096).toString("latin1"))?.[0] ?? "";
  const field = header.split(header.charAt(3))[17] ?? "";
  return field.split(/[~^]/u)[0] ?? "";
}

/** Charset names of HL7 table 0211 and HTTP as labels of `TextDecoder`. */
function toDecoderLabel(name: string): string | undefined {
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

const timePattern =
  /^(?<day>\d{8})(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?(?:\.\d{1,4})?(?:(?<sign>[+-])(?<ahead>\d{4}))?$/u;

/**
 * Parses `20261201093000+0100`; without an offset, the time is in the given zone. Undefined if the
 * REST API would not accept it either.
 */
export function parseTime(text: string, timeZone: string): Date | undefined {
  const groups = timePattern.exec(text)?.groups as TimeGroups | undefined;
  const wall = groups && wallClock(groups);
  if (groups === undefined || wall === undefined) {
    return undefined;
  }
  const time =
    groups.sign === undefined
      ? fromWallClock(timeZone, wall)
      : new Date(wall.getTime() - (offsetOf(groups) ?? 0) * 60_000);
  return isShowable(time) ? time : undefined;
}

/** The wall-clock time as if it were UTC; undefined for an invalid date or time. */
function wallClock({ day = "", hour, minute, second = "00" }: TimeGroups): Date | undefined {
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hour}:${minute}:${second}`;
  const wall = new Date(`${iso}Z`);
  return !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(iso) ? wall : undefined;
}

/** The UTC offset in minutes; undefined if there is none. */
function offsetOf({ sign, ahead = "" }: TimeGroups): number | undefined {
  const minutes = Number(ahead.slice(0, 2)) * 60 + Number(ahead.slice(2));
  return sign === "-" ? -minutes : minutes;
}

/** Formats as `20261201083000+0000`. */
export function formatTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-T:]/gu, "")}+0000`;
}

const unitMinutes: readonly (readonly [RegExp, number])[] = [
  [/^(?:|m|min|mins|minute|minutes)$/iu, 1],
  [/^(?:s|sec|secs|second|seconds)$/iu, 1 / 60],
  [/^(?:h|hr|hrs|hour|hours)$/iu, 60],
];

const maxMinutes = 1_440;

/** A duration in whole minutes, between one minute and one day; undefined if it is invalid. */
export function parseMinutes(length: string, unit: string): number | undefined {
  const factor = unitMinutes.find(([words]) => words.test(unit))?.[1];
  const isNumber = /^\d{1,6}(?:\.\d{1,4})?$/u.test(length);
  const minutes = isNumber && factor !== undefined ? Math.ceil(Number(length) * factor) : 0;
  return minutes >= 1 && minutes <= maxMinutes ? minutes : undefined;
}
