/** The acknowledgement of a message. Pure. */
import { Hl7Context, Hl7Message, Hl7Segment } from "@medplum/core";
import { type MessageHeader, formatTime } from "./message.ts";

export type AckLinks = Readonly<{
  id: number;
  guestUrl: string;
  moderatorUrl: string;
  dtmfCode: string;
}>;

export type AckOrder = Readonly<{
  header: MessageHeader;
  controlId: string;
  at: Date;
  fault?: Hl7Fault;
  conference?: AckLinks;
}>;

const context = new Hl7Context();

/** Why a message was rejected: HL7 table 0357. */
const faultTexts = {
  100: "Segment sequence error",
  101: "Required field missing",
  102: "Data type error",
  200: "Unsupported message type",
  201: "Unsupported event code",
  203: "Unsupported version id",
  204: "Unknown key identifier",
  205: "Duplicate key identifier",
  207: "Application internal error",
} as const;

export type FaultCode = keyof typeof faultTexts;

/** `SCH^1^11`: segment, its occurrence, field. */
export type ErrorLocation = `${string}^${number}^${number}`;

/** `AE`: the data are invalid. `AR`: this kind of message is not accepted. */
export class Hl7Fault extends Error {
  readonly result: "AE" | "AR";
  readonly code: FaultCode;
  readonly location: ErrorLocation;

  constructor(result: "AE" | "AR", code: FaultCode, { location: place, text }: FaultDetails) {
    super(text);
    this.name = "Hl7Fault";
    this.result = result;
    this.code = code;
    this.location = place;
  }
}

type FaultDetails = Readonly<{ location: ErrorLocation; text: string }>;

/** `MSH`, `MSA`, and either `ERR` or `ZVC` with the links of the conference. */
export function buildAck(order: AckOrder): string {
  const { header, fault, conference } = order;
  const segments = [
    headerSegment(order),
    ...(fault === undefined
      ? [segment("MSA", "AA", escape(header.controlId))]
      : [
          segment("MSA", fault.result, escape(header.controlId), escape(fault.message)),
          errorSegment(header, fault),
        ]),
    ...(conference === undefined
      ? []
      : [
          segment(
            "ZVC",
            String(conference.id),
            escape(conference.guestUrl),
            escape(conference.moderatorUrl),
            conference.dtmfCode,
          ),
        ]),
  ];
  return `${new Hl7Message(segments, context).toString()}\r`;
}

function headerSegment({ header, controlId, at }: AckOrder): Hl7Segment {
  return segment(
    "MSH",
    context.getMsh2(),
    escape(header.receivingApplication),
    escape(header.receivingFacility),
    escape(header.sendingApplication),
    escape(header.sendingFacility),
    formatTime(at),
    "",
    messageType(header),
    controlId,
    escape(header.processing) || "P",
    versionOf(header),
    ...["", "", "", "", ""],
    "UNICODE UTF-8",
  );
}

function messageType(header: MessageHeader): string {
  const { event } = header;
  const [, trigger = ""] = /^([A-Z]\d{2})$/u.exec(event) ?? [];
  if (trigger === "") {
    return "ACK";
  }
  return isOlderVersion(versionOf(header), "2.3.1") ? `ACK^${trigger}` : `ACK^${trigger}^ACK`;
}

/** HL7 2.5 redefined ERR. Before, it was a single field with components. */
function errorSegment(header: MessageHeader, { code, location, message }: Hl7Fault): Hl7Segment {
  const text = textOf(code);
  return isOlderVersion(versionOf(header), "2.5")
    ? segment("ERR", `${location}^${code}&${text}&HL70357`)
    : segment("ERR", "", location, `${code}^${text}^HL70357`, "E", "", "", "", escape(message));
}

function textOf(code: FaultCode): string {
  return faultTexts[code];
}

function isOlderVersion(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}

/** The sender's version for the whole answer; 2.5.1 if it is missing or invalid. */
function versionOf({ version }: MessageHeader): string {
  return /^2\.\d(?:\.\d)?$/u.test(version) ? version : "2.5.1";
}

function segment(...fields: string[]): Hl7Segment {
  return new Hl7Segment(fields, context);
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\E\\",
  "|": "\\F\\",
  "^": "\\S\\",
  "&": "\\T\\",
  "~": "\\R\\",
};

/** Escapes delimiters and replaces control characters. */
function escape(text: string): string {
  return text.replaceAll(/[\\|^&~]/gu, (mark) => escapes[mark] ?? "").replaceAll(/\p{Cc}/gu, " ");
}

export function dataFault(code: FaultCode, location: ErrorLocation, text: string): Hl7Fault {
  return new Hl7Fault("AE", code, { location, text });
}

export function rejection(code: FaultCode, location: ErrorLocation, text: string): Hl7Fault {
  return new Hl7Fault("AR", code, { location, text });
}
