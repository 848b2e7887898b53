import { languages } from "../contracts/languages.ts";
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
  type BodyOf,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { conferenceStatuses } from "./model.ts";

/** Generous: 50 items, and the parsers of `contact.ts` decide. */
const participants = {
  type: "string",
  maxLength: 17_000,
  rule: "a text of 1 to 50 e-mail addresses or phone numbers with prefix, separated by commas, such as ann@example.com,+33612345678",
  examples: ["ann@example.com,+33612345678"],
} as const;

const someParticipants = { ...participants, described: { minLength: 1 } } as const;

const flag = switchField;

const login = line(1, 255);

const name = line(2, 255);

const startTime = timestampField;

const duration = { type: "integer", minimum: 1, maximum: 1_440 } as const;

const text = { type: ["string", "null"], maxLength: 300 } as const;

const password = {
  type: "string",
  pattern: "^[0-9*#]{4,16}$",
  rule: "4 to 16 characters that a telephone can send: digits, * and #",
} as const;

/** 0: none. */
const reminder = { type: "integer", minimum: 0, maximum: 10_080 } as const;

export const createConferenceSchema = {
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
} as const satisfies JsonSchema;

export type CreateConferenceBody = BodyOf<typeof createConferenceSchema>;

export const changeConferenceSchema = {
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
} as const satisfies JsonSchema;

export type ChangeConferenceBody = BodyOf<typeof changeConferenceSchema>;

export const inviteSchema = {
  type: "object",
  additionalProperties: false,
  properties: { participants },
} as const satisfies JsonSchema;

export type InviteBody = BodyOf<typeof inviteSchema>;

export const conferenceParams = idParams("conferenceId");

export type ConferenceParams = { conferenceId: number };

const orderings = ["date", "modified", "start_time", "id"] as const;

export type ConferenceOrdering = (typeof orderings)[number];

export const listConferencesSchema = {
  type: "object",
  properties: {
    ...pageQuery,
    orderby: { type: "string", enum: orderings },
    ...orderQuery,
    since: periodQuery.since,
    search: { type: "string", maxLength: 255 },
    status: wordList(conferenceStatuses),
  },
} as const satisfies JsonSchema;

export type ListConferencesQuery = BodyOf<typeof listConferencesSchema>;

export const pageSchema: JsonSchema = { type: "object", properties: pageQuery };

export const accessSchema = {
  type: "object",
  properties: { password: { type: "string", maxLength: 64 } },
} as const satisfies JsonSchema;

export type AccessQuery = BodyOf<typeof accessSchema>;

/** One line of text: it may end in the subject of a mail, so no control characters. */
function line(minLength: number, maxLength: number) {
  return {
    type: "string",
    minLength,
    maxLength,
    ...nameLine,
  } as const;
}
