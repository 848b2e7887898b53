/** Parses request bodies into stored values, or throws a 400 that names the field. Pure. */
import type { GuestContact } from "../contracts/invitations.ts";
import { checkEach, invalidParameter, missingParameter } from "../contracts/problems.ts";
import { minutesAfter, orNull, parseScope, parseStart, parseSwitch } from "../http/values.ts";
import { toTimestamp, showWallClock } from "../platform/timestamps.ts";
import type { Conference, ChangeConferenceBody, CreateConferenceBody } from "./model.ts";
import { printable } from "../http/input.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";

/** Input of a new conference, from the API or from an appointment. */
export type NewConferenceInput = Readonly<{
  participants: readonly GuestContact[];
  isInvited: boolean;
  wantsSso: boolean;
  serviceKey: string | undefined;
  /** Logins. Default: the caller as organizer, the organizer as moderator. */
  organizer: string | undefined;
  moderator: string | undefined;
  /** Default: derived from the start time. */
  name: string | undefined;
  isModerated: boolean;
  isOpen: boolean;
  startTime: Date;
  endTime: Date;
  language: string | null;
  message: string | null;
  password: string | null;
  /** Undefined: the service's default. Null: no reminder. */
  reminderMinutes: number | null | undefined;
  /** Key of an appointment in an external system. */
  externalKey: string | null;
}>;

type MeetingTimes = Pick<Conference, "startTime" | "endTime">;

/** Absent fields stay unchanged. */
export type ConferenceChangeInput = Readonly<{
  /** Replaces the whole list of guests. */
  participants?: readonly GuestContact[];
  isInvited?: boolean;
  /** Logins. */
  organizer?: string;
  moderator?: string;
  /** Null removes it. */
  password?: string | null;
  fields: Partial<
    Pick<
      Conference,
      | "name"
      | "isModerated"
      | "isOpen"
      | "isLocked"
      | "language"
      | "message"
      | "reminderMinutes"
      | "startTime"
      | "endTime"
    >
  >;
}>;

/** `now` is the default start time. */
export function parseNewConference(body: CreateConferenceBody, now: Date): NewConferenceInput {
  let participants: GuestContact[] = [];
  checkEach(
    () => {
      participants = parseParticipants(body.participants);
    },
    () => parseName(body.name),
    () => requireFuture(parseSchedule(body, now), now),
  );
  return toNewConferenceInput(body, now, participants);
}

function toNewConferenceInput(
  body: CreateConferenceBody,
  now: Date,
  participants: readonly GuestContact[],
): NewConferenceInput {
  return {
    participants,
    isInvited: parseSwitch("invite", body.invite),
    ...parseScope(body.scope),
    serviceKey: body.service_key,
    organizer: nonBlank(body.organizer),
    moderator: nonBlank(body.moderator),
    name: parseName(body.name),
    isModerated: parseSwitch("moderation", body.moderation),
    isOpen: parseSwitch("open", body.open),
    ...parseSchedule(body, now),
    language: body.language ?? null,
    message: orNull(body.message),
    password: orNull(body.password),
    reminderMinutes: parseReminder(body.reminder),
    externalKey: null,
  };
}

const defaultMinutes = 60;

function parseSchedule(
  body: CreateConferenceBody,
  now: Date,
): Pick<NewConferenceInput, "startTime" | "endTime"> {
  const text = orNull(body.startTime);
  const startTime = text === null ? now : parseStart(text);
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? defaultMinutes) };
}

/** `Conference-2026-11-20 11:00:00 (GMT +01:00)` */
export function defaultName(startTime: Date, timeZone: string): string {
  return `Conference-${showWallClock(timeZone, startTime)}`;
}

/**
 * Parses a change. Returns a function of the current schedule, which must be read under the lock,
 * because the new end depends on it.
 */
export function parseConferenceChange(
  body: ChangeConferenceBody,
  now: Date,
): (plan: MeetingTimes) => ConferenceChangeInput {
  let participants: GuestContact[] | undefined;
  checkEach(
    () => {
      participants =
        body.participants === undefined ? undefined : parseParticipants(body.participants);
    },
    () => parseName(body.name),
  );
  const fields = definedOnly({
    name: parseName(body.name),
    isModerated: parseOptionalSwitch("moderation", body.moderation),
    isOpen: parseOptionalSwitch("open", body.open),
    isLocked: parseOptionalSwitch("locked", body.locked),
    language: body.language,
    message: body.message === "" ? null : body.message,
    reminderMinutes: parseReminder(body.reminder),
  }) as ConferenceChangeInput["fields"];
  const fixed = definedOnly({
    participants,
    isInvited: parseOptionalSwitch("invite", body.invite),
    organizer: body.organizer,
    moderator: body.moderator,
    password: body.password,
  }) as Omit<ConferenceChangeInput, "fields">;
  if (body.startTime !== undefined) {
    parseStart(body.startTime);
  }
  return (plan) => ({ ...fixed, fields: { ...fields, ...changedSchedule(plan, body, now) } });
}

/**
 * Parses a comma-separated list of 1 to 50 guests and removes duplicates. Counts before it parses: a
 * phone number takes long, and a request may contain thousands.
 */
export function parseParticipants(text: string): GuestContact[] {
  const items = [...new Set(text.split(",").map(trimItem))].filter((item) => item !== "");
  if (items.length === 0) {
    throw missingParameter("participants");
  }
  requireGuestLimit(items.length);
  const parsed = items.map(parseItem);
  const wrong = items.filter((_item, at) => parsed[at] === undefined);
  if (wrong.length > 0) {
    refuseItems(wrong);
  }
  return withoutDuplicates(parsed.filter((one) => one !== undefined));
}

/** Keeps a blank before a digit, which may be a `+` that the client did not URL-encode. */
function trimItem(item: string): string {
  const trimmed = item.trim();
  return /^\s+\d/u.test(item) ? ` ${trimmed}` : trimmed;
}

function parseItem(item: string): GuestContact | undefined {
  const email = parseEmail(item);
  const phone = email === undefined ? parsePhone(item) : undefined;
  return email === undefined && phone === undefined
    ? undefined
    : { email: email ?? null, phone: phone ?? null, name: null };
}

/** Throws a 400 that names up to five invalid items. */
function refuseItems(items: readonly string[]): never {
  const shown = items.slice(0, 5).map((item) => `"${printable(item.trim())}"`);
  const verb = items.length === 1 ? "is" : "are";
  throw invalidParameter(
    "participants",
    "format",
    `The participants field is invalid: ${shown.join(", ")} ${verb} neither an email address nor a phone number with its country code, such as +33612345678.`,
  );
}

/** Keeps the first occurrence of each guest. */
function withoutDuplicates(contacts: readonly GuestContact[]): GuestContact[] {
  const seen = new Set<string>();
  return contacts.filter((contact) => {
    const isNew = !seen.has(contactOf(contact));
    seen.add(contactOf(contact));
    return isNew;
  });
}

/** Identity of a guest: the address, in any case, or the number. */
export function contactOf({ email, phone }: Pick<GuestContact, "email" | "phone">): string {
  return (email ?? phone ?? "").toLowerCase();
}

const maxGuests = 50;

/** 400 if the list exceeds the maximum number of guests. */
export function requireGuestLimit(count: number): void {
  if (count > maxGuests) {
    throw invalidParameter(
      "participants",
      "length",
      `A conference has at most ${maxGuests} invited participants.`,
    );
  }
}

/** The schema rejects blank names. */
function parseName(text: string | undefined): string | undefined {
  const name = nonBlank(text)?.trim();
  if (name !== undefined && [...name].length < 2) {
    const detail =
      "The name field is invalid: it must have 2 to 255 characters, without leading and trailing spaces.";
    throw invalidParameter("name", "length", detail);
  }
  return name;
}

function nonBlank(text: string | undefined): string | undefined {
  return orNull(text) ?? undefined;
}

/** Drops undefined members. */
function definedOnly(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function parseOptionalSwitch(
  field: string,
  value: boolean | number | string | undefined,
): boolean | undefined {
  return value === undefined ? undefined : parseSwitch(field, value);
}

function parseReminder(minutes: number | undefined): number | null | undefined {
  return minutes === 0 ? null : minutes;
}

function changedSchedule(plan: MeetingTimes, body: ChangeConferenceBody, now: Date): MeetingTimes {
  const startTime = body.startTime === undefined ? plan.startTime : parseStart(body.startTime);
  const planned = (plan.endTime.getTime() - plan.startTime.getTime()) / 60_000;
  const changed = { startTime, endTime: minutesAfter(startTime, body.duration ?? planned) };
  if (body.startTime !== undefined) {
    requireFuture(changed, now);
  }
  return changed;
}

/** Rejects meetings whose end is in the past. */
function requireFuture({ endTime }: MeetingTimes, now: Date): void {
  if (endTime <= now) {
    const detail = `The startTime field is invalid: the meeting would have ended at ${toTimestamp(endTime)}, which is in the past.`;
    throw invalidParameter("startTime", "past", detail);
  }
}
