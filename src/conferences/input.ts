/** What a client wrote → what is stored, or the 400 that names the field. Pure. */
import { minutesAfter, orNull, parseScope, parseStart, parseSwitch } from "../http/values.ts";
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

const defaultMinutes = 60;

const given = (text: string | undefined): string | undefined => orNull(text) ?? undefined;

const reminderOf = (minutes: number | undefined): number | null | undefined =>
  minutes === 0 ? null : minutes;

const planOf = (body: CreateConferenceBody, now: Date): Pick<Wish, "startTime" | "endTime"> => {
  const text = orNull(body.startTime);
  const startTime = text === null ? now : parseStart(text);
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? defaultMinutes) };
};

/** The body of a create, checked and with its defaults. `now` is the start where none is given. */
export const parseNewConference = (body: CreateConferenceBody, now: Date): Wish => ({
  participants: parseParticipants(body.participants),
  isInvited: parseSwitch("invite", body.invite),
  ...parseScope(body.scope),
  serviceKey: body.service_key,
  organizer: given(body.organizer),
  moderator: given(body.moderator),
  name: given(body.name),
  isModerated: parseSwitch("moderation", body.moderation),
  isOpen: parseSwitch("open", body.open),
  ...planOf(body, now),
  language: body.language ?? null,
  message: orNull(body.message),
  password: orNull(body.password),
  reminderMinutes: reminderOf(body.reminder),
  externalKey: null,
});

/** `Conference-2026-11-20 11:00:00 (GMT +01:00)` */
export const defaultName = (startTime: Date, timeZone: string): string =>
  `Conference-${showWallClock(timeZone, startTime)}`;

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

type Plan = Pick<Conference, "startTime" | "endTime">;

const changedPlan = (now: Plan, body: ChangeConferenceBody): Plan => {
  const startTime = body.startTime === undefined ? now.startTime : parseStart(body.startTime);
  const planned = (now.endTime.getTime() - now.startTime.getTime()) / 60_000;
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? planned) };
};

/** Leaves out what was not given. */
const known = (values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const switchOf = (
  field: string,
  value: boolean | number | string | undefined,
): boolean | undefined => (value === undefined ? undefined : parseSwitch(field, value));

/** The body of a change; how long it lasts depends on how long it was to last, read under a lock. */
export const parseConferenceChange = (body: ChangeConferenceBody): ((now: Plan) => ChangeWish) => {
  const fields = known({
    name: body.name,
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
  return (now) => ({ ...fixed, fields: { ...fields, ...changedPlan(now, body) } });
};
