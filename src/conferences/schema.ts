import {
  changedTimestampField,
  idParams,
  nameLine,
  orderQuery,
  pageQuery,
  periodQuery,
  serviceKeyField,
  switchField,
  timestampField,
  wordList,
  type OrderedPageQuery,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { conferenceStatuses } from "./model.ts";

const languages = ["fr", "en", "es", "de", "it", "nl", "pt"] as const;

/** Generous: 50 items, and the parsers of `contact.ts` decide. */
const participants = {
  type: "string",
  maxLength: 17_000,
  rule: "a text of 1 to 50 e-mail addresses or phone numbers with prefix, separated by commas, such as ann@example.com,+33612345678",
  examples: ["ann@example.com,+33612345678"],
};

const someParticipants = { ...participants, described: { minLength: 1 } };

const flag = switchField;

const login = line(1, 255);

const name = line(2, 255);

const startTime = timestampField;

const duration = { type: "integer", minimum: 1, maximum: 1_440 };

const text = { type: ["string", "null"], maxLength: 300 };

const password = {
  type: "string",
  pattern: "^[0-9*#]{4,16}$",
  rule: "4 to 16 digits, * and #, so that a telephone can send it",
};

/** 0: none. */
const reminder = { type: "integer", minimum: 0, maximum: 10_080 };

export const createConferenceSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["participants"],
  properties: {
    participants: someParticipants,
    invite: flag,
    moderation: flag,
    moderator: login,
    organizer: login,
    name,
    startTime,
    duration,
    language: { type: "string", enum: languages },
    message: text,
    password,
    service_key: serviceKeyField,
    scope: wordList(["sso"]),
    open: flag,
    reminder,
  },
};

type FlagInput = boolean | number | string;

export type CreateConferenceBody = {
  participants: string;
  invite?: FlagInput;
  moderation?: FlagInput;
  moderator?: string;
  organizer?: string;
  name?: string;
  startTime?: string;
  duration?: number;
  language?: string;
  message?: string | null;
  password?: string;
  service_key?: string;
  scope?: string;
  open?: FlagInput;
  reminder?: number;
};

export const changeConferenceSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    // The whole list: who is not on it any more is taken off, and told so if they were invited.
    participants: someParticipants,
    invite: flag,
    moderation: flag,
    moderator: login,
    organizer: login,
    name,
    startTime: changedTimestampField,
    duration,
    language: { type: ["string", "null"], enum: [...languages, null] },
    message: text,
    password: { ...password, type: ["string", "null"] },
    open: flag,
    // Nobody else comes in.
    locked: flag,
    reminder,
  },
};

export type ChangeConferenceBody = Partial<
  Omit<CreateConferenceBody, "language" | "password" | "service_key" | "scope">
> & { language?: string | null; password?: string | null; locked?: FlagInput };

export const inviteSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { participants },
};

export type InviteBody = { participants?: string };

export const conferenceParams = idParams("conferenceId");

export type ConferenceParams = { conferenceId: number };

const orderings = ["date", "modified", "start_time", "id"] as const;

export type ConferenceOrdering = (typeof orderings)[number];

export const listConferencesSchema: JsonSchema = {
  type: "object",
  properties: {
    ...pageQuery,
    orderby: { type: "string", enum: orderings },
    ...orderQuery,
    since: periodQuery.since,
    search: { type: "string", maxLength: 255 },
    status: wordList(conferenceStatuses),
  },
};

export type ListConferencesQuery = OrderedPageQuery & {
  orderby?: ConferenceOrdering;
  since?: string;
  search?: string;
  status?: string;
};

export const pageSchema: JsonSchema = { type: "object", properties: pageQuery };

export const accessSchema: JsonSchema = {
  type: "object",
  properties: { password: { type: "string", maxLength: 64 } },
};

export type AccessQuery = { password?: string };

/** One line of text: it may end in the subject of a mail, so no control characters. */
function line(minLength: number, maxLength: number) {
  return {
    type: "string",
    minLength,
    maxLength,
    ...nameLine,
  };
}
