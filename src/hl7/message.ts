/** A message as the rest of the slice reads it: by segment, field and component, unescaped. Pure. */
import { Hl7Message, type Hl7Segment } from "@medplum/core";
import { invalidParameter } from "../contracts/problems.ts";

/** Where a value stands. Numbers are counted from 1, as the standard counts. */
type Spot = Readonly<{ component?: number; repetition?: number; subcomponent?: number }>;

export type Header = Readonly<{
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

export type Message = Readonly<{
  text: string;
  header: Header;
  /** Empty where there is no such segment, field or component. */
  value(segment: string, field: number, spot?: Spot): string;
  /** How often a field is repeated; 0 where it is not there. */
  repetitions(segment: string, field: number): number;
}>;

type Marks = Readonly<{
  field: string;
  component: string;
  repetition: string;
  escape: string;
  sub: string;
}>;

const unknownHeader: Header = {
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
 * What the first segment says of a message that cannot be read otherwise, as far as it is one:
 * enough to answer. Marks that are not written as announced come out as U+FFFD.
 */
export function readHeader(bytes: Buffer): Header {
  const [line = ""] = new TextDecoder("utf-8").decode(bytes).split(/[\r\n]/u);
  try {
    return parseMessage(line).header;
  } catch {
    return unknownHeader;
  }
}

/** Far more than any appointment has. */
const maxSegments = 500;

/** Segments end with a carriage return; line feeds are taken too. */
export function parseMessage(text: string): Message {
  const lines = text
    .replaceAll("\u001c", "\r")
    .split(/[\r\n]+/u)
    .filter((line) => line.trim() !== "");
  const marks = marksOf(text);
  if (lines.length > maxSegments || new Set(Object.values(marks)).size < 5) {
    throw invalidParameter("body", "format", "The body is no HL7 v2 message that can be read.");
  }
  const parsed = Hl7Message.parse(lines.join("\r"));
  const reader = readerOf(parsed, marks);
  return { text: lines.join("\r"), header: headerOf(reader.value), ...reader };
}

function marksOf(text: string): Marks {
  return {
    field: text.charAt(3),
    component: text.charAt(4),
    repetition: text.charAt(5),
    escape: text.charAt(6),
    sub: text.charAt(7),
  };
}

function readerOf(parsed: Hl7Message, marks: Marks) {
  const unescape = unescapeWith(marks);
  const find = (name: string): Hl7Segment | undefined => parsed.getSegment(name);
  const value: Message["value"] = (segment, field, spot = {}) => {
    const { component = 1, repetition = 1, subcomponent = 1 } = spot;
    const components = find(segment)?.getField(field)?.components[repetition - 1];
    const whole = components?.[component - 1] ?? "";
    return orEmpty(unescape(whole.split(marks.sub)[subcomponent - 1] ?? ""));
  };
  const repetitions: Message["repetitions"] = (segment, field) =>
    find(segment)?.getField(field)?.components.length ?? 0;
  return { value, repetitions };
}

function unescapeWith(marks: Marks) {
  const plain: Readonly<Record<string, string>> = {
    F: marks.field,
    S: marks.component,
    T: marks.sub,
    R: marks.repetition,
    E: marks.escape,
    ".br": "\n",
  };
  // Only what has a meaning in a pattern may be escaped there: `\-` is refused.
  const mark = marks.escape.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
  const sequence = new RegExp(`${mark}([FSTRE]|\\.br|X(?:[0-9A-Fa-f]{2})+)${mark}`, "gu");
  return (text: string): string =>
    marks.escape === ""
      ? text
      : text.replace(sequence, (_all, code: string) => plain[code] ?? hexText(code.slice(1)));
}

/** U+0000, which no text can hold, is left out. */
function hexText(hex: string): string {
  return Buffer.from(hex, "hex").toString("latin1").replaceAll("\u0000", "");
}

/** `""` is how a sender says that a value is to be taken away: for us there is none. */
function orEmpty(text: string): string {
  return text === '""' ? "" : text.trim();
}

const maxHeaderLength = 200;

function headerOf(value: Message["value"]): Header {
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
