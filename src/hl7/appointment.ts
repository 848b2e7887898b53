/** Reads the appointment of a scheduling message. Pure; faults name the field. */
import type { GuestContact } from "../contracts/invitations.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";
import { truncate } from "../http/values.ts";
import { dataFault, rejection } from "./ack.ts";
import { type ParsedMessage, parseMinutes, parseTime } from "./message.ts";

const eventActions = {
  S12: "create",
  S13: "change",
  S14: "change",
  S15: "cancel",
  S16: "cancel",
  S17: "cancel",
  S26: "note",
} as const;

export type AppointmentAction = (typeof eventActions)[keyof typeof eventActions];

export type Appointment = Readonly<{
  /** Login or external id; empty if absent. */
  clinician: string;
  /** Names or keys that may identify the service, best first. */
  serviceCandidates: readonly string[];
  startTime: Date;
  endTime: Date;
  patients: readonly GuestContact[];
  isInvited: boolean;
}>;

const versions: readonly string[] = ["2.3", "2.3.1", "2.4", "2.5", "2.5.1"];

/** The action of the message. Throws for unsupported types and events. */
export function actionOf({ header }: ParsedMessage): AppointmentAction {
  if (!versions.includes(header.version)) {
    throw rejection(203, "MSH^1^12", "Only versions 2.3 to 2.5.1 are supported.");
  }
  if (header.type !== "SIU") {
    throw rejection(200, "MSH^1^9", "Only SIU messages are supported.");
  }
  const action = (eventActions as Readonly<Record<string, AppointmentAction>>)[header.event];
  if (action === undefined) {
    throw rejection(201, "MSH^1^9", "Only the SIU events S12 to S17 and S26 are supported.");
  }
  return action;
}

/**
 * Identifies the conference of an appointment. Contains the facility, because appointment ids are
 * only unique within one.
 */
export function appointmentKey(message: ParsedMessage): { externalKey: string; name: string } {
  const id = appointmentId(message);
  return { externalKey: `${message.header.sendingFacility} ${id}`, name: `RDV ${id}` };
}

const maxIdLength = 200;

/** The appointment id of the sender. */
function appointmentId(message: ParsedMessage): string {
  const id = message.value("SCH", 2) || message.value("SCH", 1);
  if (id === "") {
    throw dataFault(101, "SCH^1^2", "The appointment id in SCH-2 or SCH-1 is missing.");
  }
  if (id.length > maxIdLength) {
    throw dataFault(102, "SCH^1^2", `The id is longer than ${maxIdLength} characters.`);
  }
  return id;
}

export function appointmentOf(message: ParsedMessage, timeZone: string): Appointment {
  const startTime = startOf(message, timeZone);
  const patients = patientsOf(message);
  return {
    clinician: message.value("AIP", 3) || message.value("PV1", 7),
    serviceCandidates: [
      message.header.receivingFacility,
      message.value("SCH", 8),
      message.value("SCH", 8, { component: 2 }),
    ].filter((job) => job !== ""),
    startTime,
    endTime: new Date(startTime.getTime() + minutesOf(message) * 60_000),
    patients,
    isInvited: patients.length > 0 && isConfirmed(message),
  };
}

function startOf(message: ParsedMessage, timeZone: string): Date {
  const text =
    message.value("SCH", 11, { component: 4 }) ||
    message.value("TQ1", 7) ||
    message.value("AIS", 4);
  if (text === "") {
    throw dataFault(101, "SCH^1^11", "The start time in SCH-11.4, TQ1-7 or AIS-4 is missing.");
  }
  const start = parseTime(text, timeZone);
  if (start === undefined) {
    const form = "the form YYYYMMDDHHMM[SS][+ZZZZ] and a year from 1970 to 9998";
    throw dataFault(102, "SCH^1^11", `The start time must have ${form}.`);
  }
  return start;
}

/** Bounds the work per patient. */
const maxContacts = 20;

/** One guest per channel: the patient's first valid phone number and first valid mail address. */
function patientsOf(message: ParsedMessage): GuestContact[] {
  const name = patientName(message);
  const count = Math.min(message.repetitions("PID", 13), maxContacts);
  const contacts = Array.from({ length: count }, (_, at) => contactsIn(message, at + 1));
  const email = firstOf(contacts.map((contact) => contact.email));
  const phone = firstOf(contacts.map((contact) => contact.phone));
  return [
    ...(email === undefined ? [] : [{ email, phone: null, name }]),
    ...(phone === undefined ? [] : [{ email: null, phone, name }]),
  ];
}

const maxNameLength = 128;

function patientName(message: ParsedMessage): string | null {
  const input = message.value("PID", 5, { component: 2 });
  const family = message.value("PID", 5);
  return truncate(`${input} ${family}`.replaceAll(/\p{Cc}/gu, " ").trim(), maxNameLength) || null;
}

/** Numbers without a country code, which many systems store, cannot be called and are dropped. */
function contactsIn(message: ParsedMessage, repetition: number) {
  const at = (component: number): string => message.value("PID", 13, { component, repetition });
  return {
    phone: firstOf([parsePhone(at(12)), parsePhone(at(1))]),
    email: firstOf([parseEmail(at(4)), parseEmail(at(1))]),
  };
}

function firstOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}

const defaultMinutes = 30;

function minutesOf(message: ParsedMessage): number {
  const length = message.value("SCH", 9);
  const minutes = length === "" ? defaultMinutes : parseMinutes(length, message.value("SCH", 10));
  if (minutes === undefined) {
    throw dataFault(102, "SCH^1^9", "The duration must be between one minute and one day.");
  }
  return minutes;
}

function isConfirmed(message: ParsedMessage): boolean {
  const words = [message.value("SCH", 25), message.value("SCH", 25, { component: 2 })];
  return !words.some((word) => /^(?:cancel|pending)/iu.test(word));
}
