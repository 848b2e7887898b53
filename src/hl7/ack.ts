/** The answer to a message. Pure. */
import { Hl7Context, Hl7Message, Hl7Segment } from "@medplum/core";
import { textOf, type Hl7Fault } from "./fault.ts";
import type { Header } from "./message.ts";
import { showTime } from "./time.ts";

export type AckConference = Readonly<{
  id: number;
  guestUrl: string;
  moderatorUrl: string;
  dtmfCode: string;
}>;

export type AckOrder = Readonly<{
  header: Header;
  controlId: string;
  at: Date;
  fault?: Hl7Fault;
  conference?: AckConference;
}>;

const context = new Hl7Context();

/** `MSH`, `MSA`, and `ERR` or `ZVC` with the links, which the sender may keep. */
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
    showTime(at),
    "",
    messageType(header),
    controlId,
    escape(header.processing) || "P",
    versionOf(header),
    ...["", "", "", "", ""],
    "UNICODE UTF-8",
  );
}

function messageType(header: Header): string {
  const { event } = header;
  const [, trigger = ""] = /^([A-Z]\d{2})$/u.exec(event) ?? [];
  if (trigger === "") {
    return "ACK";
  }
  return isBefore(versionOf(header), "2.3.1") ? `ACK^${trigger}` : `ACK^${trigger}^ACK`;
}

/** ERR was made anew in 2.5; before, one component list said it all. */
function errorSegment(header: Header, { code, place, message }: Hl7Fault): Hl7Segment {
  const text = textOf(code);
  return isBefore(versionOf(header), "2.5")
    ? segment("ERR", `${place}^${code}&${text}&HL70357`)
    : segment("ERR", "", place, `${code}^${text}^HL70357`, "E", "", "", "", escape(message));
}

function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}

/** One version for the whole answer: the sender's, or ours where it says none that there is. */
function versionOf({ version }: Header): string {
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

/** What could end a field or a segment may not stand in it. */
function escape(text: string): string {
  return text.replaceAll(/[\\|^&~]/gu, (mark) => escapes[mark] ?? "").replaceAll(/\p{Cc}/gu, " ");
}
