/** What a client wrote → what is stored, or the 400 that names the field. Pure. */
import { checkEach, invalidParameter } from "../contracts/problems.ts";
import { minutesAfter, orNull, parseScope, parseStart, parseSwitch } from "../http/values.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import { showWallClock } from "../platform/time-zone.ts";
import type { Conference, Contact } from "./conference.ts";
import { parseParticipants } from "./participants.ts";
import type { ChangeConferenceBody, CreateConferenceBody } from "./schema.ts";

/** A conference as somebody wants it, whichever way they said so. */
export type Wish = Readonly<{
  participants: readonly Contact[];
  isInvited: boolean;
  wantsSso: boolean;
  serviceKey: string | undefined;
  /** Logins. Undefined: the caller, and the organizer. */
  organizer: string | undefined;
  moderator: string | undefined;
  /** Undefined: made of the start. */
  name: string | undefined;
  isModerated: boolean;
  isOpen: boolean;
  startTime: Date;
  endTime: Date;
  language: string | null;
  message: string | null;
  password: string | null;
  /** Undefined: the service's. Null: none. */
  reminderMinutes: number | null | undefined;
  /** Of an appointment in another system. */
  externalKey: string | null;
}>;

type Plan = Pick<Conference, "startTime" | "endTime">;

/** What a change says; what it does not name stays. */
export type ChangeWish = Readonly<{
  /** The whole list of guests. */
  participants?: readonly Contact[];
  isInvited?: boolean;
  /** Logins. */
  organizer?: string;
  moderator?: string;
  /** Null takes it away. */
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

/** The body of a create, checked and with its defaults. `now` is the start where none is given. */
export function parseNewConference(body: CreateConferenceBody, now: Date): Wish {
  checkEach(
    () => parseParticipants(body.participants),
    () => nameOf(body.name),
    () => requireFuture(planOf(body, now), now),
  );
  return wishOf(body, now);
}

function wishOf(body: CreateConferenceBody, now: Date): Wish {
  return {
    participants: parseParticipants(body.participants),
    isInvited: parseSwitch("invite", body.invite),
    ...parseScope(body.scope),
    serviceKey: body.service_key,
    organizer: given(body.organizer),
    moderator: given(body.moderator),
    name: nameOf(body.name),
    isModerated: parseSwitch("moderation", body.moderation),
    isOpen: parseSwitch("open", body.open),
    ...planOf(body, now),
    language: body.language ?? null,
    message: orNull(body.message),
    password: orNull(body.password),
    reminderMinutes: reminderOf(body.reminder),
    externalKey: null,
  };
}

const defaultMinutes = 60;

function planOf(body: CreateConferenceBody, now: Date): Pick<Wish, "startTime" | "endTime"> {
  const text = orNull(body.startTime);
  const startTime = text === null ? now : parseStart(text);
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? defaultMinutes) };
}

/** `Conference-2026-11-20 11:00:00 (GMT +01:00)` */
export function defaultName(startTime: Date, timeZone: string): string {
  return `Conference-${showWallClock(timeZone, startTime)}`;
}

/** The body of a change; how long it lasts depends on how long it was to last, read under a lock. */
export function parseConferenceChange(
  body: ChangeConferenceBody,
  now: Date,
): (plan: Plan) => ChangeWish {
  const { participants } = body;
  checkEach(
    () => participants === undefined || parseParticipants(participants),
    () => nameOf(body.name),
  );
  const fields = known({
    name: nameOf(body.name),
    isModerated: switchOf("moderation", body.moderation),
    isOpen: switchOf("open", body.open),
    isLocked: switchOf("locked", body.locked),
    language: body.language,
    message: body.message === "" ? null : body.message,
    reminderMinutes: reminderOf(body.reminder),
  }) as ChangeWish["fields"];
  const fixed = known({
    participants:
      body.participants === undefined ? undefined : parseParticipants(body.participants),
    isInvited: switchOf("invite", body.invite),
    organizer: body.organizer,
    moderator: body.moderator,
    password: body.password,
  }) as Omit<ChangeWish, "fields">;
  if (body.startTime !== undefined) {
    parseStart(body.startTime);
  }
  return (plan) => ({ ...fixed, fields: { ...fields, ...changedPlan(plan, body, now) } });
}

/** The schema has seen that it is not blank. */
function nameOf(text: string | undefined): string | undefined {
  const name = given(text)?.trim();
  if (name !== undefined && [...name].length < 2) {
    const detail =
      "The name field is invalid: it must have 2 to 255 characters, blanks around it not counted.";
    throw invalidParameter("name", "length", detail);
  }
  return name;
}

function given(text: string | undefined): string | undefined {
  return orNull(text) ?? undefined;
}

/** Leaves out what was not given. */
function known(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function switchOf(
  field: string,
  value: boolean | number | string | undefined,
): boolean | undefined {
  return value === undefined ? undefined : parseSwitch(field, value);
}

function reminderOf(minutes: number | undefined): number | null | undefined {
  return minutes === 0 ? null : minutes;
}

function changedPlan(plan: Plan, body: ChangeConferenceBody, now: Date): Plan {
  const startTime = body.startTime === undefined ? plan.startTime : parseStart(body.startTime);
  const planned = (plan.endTime.getTime() - plan.startTime.getTime()) / 60_000;
  const changed = { startTime, endTime: minutesAfter(startTime, body.duration ?? planned) };
  if (body.startTime !== undefined) {
    requireFuture(changed, now);
  }
  return changed;
}

/** A meeting that is over before anybody was told of it would invite people to a dead link. */
function requireFuture({ endTime }: Plan, now: Date): void {
  if (endTime <= now) {
    const detail = `The startTime field is invalid: the meeting would have ended at ${toTimestamp(endTime)}, which is past.`;
    throw invalidParameter("startTime", "past", detail);
  }
}
