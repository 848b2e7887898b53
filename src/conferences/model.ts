/**
 * A conference: state machine and request schemas. Pure.
 *
 *   scheduled ──start──► ongoing ──pause──► scheduled
 *   ongoing ──end──► ended
 *   scheduled ──lapse──► ended
 *   scheduled ──cancel──► cancelled
 *
 * When its session ends, a conference pauses if it is open or before its planned end; otherwise it
 * ends. An ongoing conference cannot be cancelled, only ended. `ended` and `cancelled` are
 * terminal. Transitions that are not in the table are rejected.
 */
import type { ConferenceStatus } from "../contracts/conferences.ts";
import type { ConferenceService, FindUser } from "../contracts/directory.ts";
import type { ConferenceInvitations } from "../contracts/invitations.ts";
import { languages } from "../contracts/languages.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { ConversationFactory, EndRoom, WakeRoom } from "../contracts/rooms.ts";
import type { RoomTokens } from "../http/room-tokens.ts";
import type { JsonSchema } from "../http/route.ts";
import {
  type BodyOf,
  changedTimestampField,
  idParams,
  nameLine,
  pageQuery,
  serviceKeyField,
  switchField,
  timestampField,
  wordList,
} from "../http/schema.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Tasks } from "../platform/tasks/task.ts";

export const conferenceActions = [
  "start",
  "pause",
  "end",
  "lapse",
  "cancel",
  "change",
  "invite",
] as const;

export type ConferenceAction = (typeof conferenceActions)[number];

type ConferenceTransition = { from: readonly ConferenceStatus[]; to: ConferenceStatus | "kept" };

const activeStatuses: readonly ConferenceStatus[] = ["scheduled", "ongoing"];

/** The target status, even if the action is not allowed. */
export type ConferenceTransitionResult = Readonly<{ isAllowed: boolean; to: ConferenceStatus }>;

/** A user as shown to others. */
export type ConferenceUser = Readonly<{ id: number; name: string }>;

export type Conference = Readonly<{
  id: number;
  enterpriseId: number;
  serviceId: number;
  serviceKey: string;
  conversationId: number;
  name: string;
  status: ConferenceStatus;
  roomName: string;
  shortCode: string;
  /** Empty if the enterprise has no SIP gateway. */
  sipPhoneNumber: string;
  sipDtmfCode: string;
  organizer: ConferenceUser;
  createdBy: ConferenceUser;
  /** Default: the organizer. */
  moderator: ConferenceUser;
  isModerated: boolean;
  isOpen: boolean;
  isLocked: boolean;
  language: string | null;
  message: string | null;
  passwordSealed: Buffer | null;
  /** Null: no reminder. */
  reminderMinutes: number | null;
  remindedFor: Date | null;
  startTime: Date;
  endTime: Date;
  createdAt: Date;
  modifiedAt: Date;
}>;

/** The caller of a use case. */
export type ConferenceCaller = Pick<Scope, "enterpriseId" | "userId">;

export type ConferenceRef = Readonly<{ enterpriseId: number; id: number }>;

/** A generous limit for 50 items; `contact.ts` validates each of them. */
const participants = {
  type: "string",
  maxLength: 17_000,
  rule: "a text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678",
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
  rule: "4 to 16 characters of a telephone keypad: digits, * and #",
} as const;

/** 0: no reminder. */
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
    // The whole list: guests who are missing from it are removed, and notified if they were
    // invited.
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
    // No new participants may enter.
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

export const pageSchema: JsonSchema = { type: "object", properties: pageQuery };

const transitions: Readonly<Record<ConferenceAction, ConferenceTransition>> = {
  // When the first person is admitted; waiting people do not count.
  start: { from: ["scheduled"], to: "ongoing" },
  pause: { from: ["ongoing"], to: "scheduled" },
  end: { from: ["ongoing"], to: "ended" },
  // One day after the planned end of an empty conference.
  lapse: { from: ["scheduled"], to: "ended" },
  cancel: { from: ["scheduled"], to: "cancelled" },
  change: { from: activeStatuses, to: "kept" },
  invite: { from: activeStatuses, to: "kept" },
};

export function transition(
  from: ConferenceStatus,
  action: ConferenceAction,
): ConferenceTransitionResult {
  const { from: allowed, to } = transitions[action];
  return { isAllowed: allowed.includes(from), to: to === "kept" ? from : to };
}

export function isOver(status: ConferenceStatus): status is "ended" | "cancelled" {
  return !activeStatuses.includes(status);
}

/** The action at the end of a session: pause waits for people to come back. */
export function afterSession(
  { endTime, isOpen }: Readonly<{ endTime: Date; isOpen: boolean }>,
  now: Date,
): "pause" | "end" {
  return isOpen || now.getTime() < endTime.getTime() ? "pause" : "end";
}

/** One line of text without control characters, because it may be used in a mail subject. */
function line(minLength: number, maxLength: number) {
  return {
    type: "string",
    minLength,
    maxLength,
    ...nameLine,
  } as const;
}

/** Look-ups within one enterprise. */
type ConferenceDirectory = {
  findUser: FindUser<Queryable, number>;
  findUserByLogin: FindUser<Queryable, string>;
  /** The active conference service with this key; without a key, the oldest one. */
  findServiceForConferences(
    db: Queryable,
    enterpriseId: number,
    serviceKey: string | undefined,
  ): Promise<ConferenceService | undefined>;
};

export type ConferenceDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "hex" | "base62" | "digits" | "uuid">;
  directory: ConferenceDirectory;
  conversations: ConversationFactory<Trx>;
  invitations: ConferenceInvitations<Trx>;
  roomTokens: Pick<RoomTokens, "issue">;
  tasks: Tasks;
  endRoom: EndRoom<Trx>;
  wakeRoom: WakeRoom;
  /** Seals passwords. */
  secretBox: SecretBox;
  /** Public address without a trailing slash. */
  baseUrl: string;
}>;
