/** What conferences need of other slices. `compose` hands the real ones over. */
import type { Guest } from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Tasks } from "../platform/tasks/task.ts";
import type { GuestContact } from "./model.ts";

export type DirectoryUser = Readonly<{ id: number; login: string; displayName: string }>;

export type DirectoryService = Readonly<{
  id: number;
  serviceKey: string;
  name: string;
  /** Null: the enterprise's. */
  language: string | null;
  /** How long before its start a conference is reminded of. Null: not at all. */
  reminderMinutes: number | null;
}>;

/** Look-ups bound to one enterprise: what another one owns is not found. */
type Directory = {
  findUser(db: Queryable, enterpriseId: number, userId: number): Promise<DirectoryUser | undefined>;
  /** An active user. Logins are compared without case. */
  findUserByLogin(
    db: Queryable,
    enterpriseId: number,
    login: string,
  ): Promise<DirectoryUser | undefined>;
  /** An active conference service: by its key, or the oldest one where no key is given. */
  findServiceForConferences(
    db: Queryable,
    enterpriseId: number,
    serviceKey: string | undefined,
  ): Promise<DirectoryService | undefined>;
};

type Conversations = {
  create(
    trx: Trx,
    order: { enterpriseId: number; at: Date; roomName: string },
  ): Promise<{ id: number; uid: string }>;
};

/** What guests are written: an invitation, a reminder, a cancellation. */
export type GuestNotice = Readonly<{
  enterpriseId: number;
  serviceId: number;
  conferenceId: number;
  guests: readonly GuestContact[];
  language: string | null;
  variables: Readonly<{
    link: string;
    name: string;
    organizerName: string;
    message: string | null;
    startTime: Date;
    endTime: Date;
    dialIn: Readonly<{ number: string; code: string }> | null;
  }>;
  createdBy: number | null;
  at: Date;
}>;

export type SentInvitation = Readonly<{
  invitationId: number;
  channel: "email" | "sms";
  recipient: string;
}>;

export type Invitations = {
  inviteToConference(trx: Trx, notice: GuestNotice): Promise<readonly SentInvitation[]>;
  remindConference(trx: Trx, notice: GuestNotice): Promise<unknown>;
  /** With a calendar entry that takes the meeting out of the guest's calendar. */
  cancelConference(trx: Trx, notice: GuestNotice): Promise<unknown>;
};

export type RoomTokens = { issue(guest: Guest, expiresAt: Date): Promise<string> };

/** Ends the running session of a room, and with it what its subject says about that. */
type EndRoom = (
  trx: Trx,
  room: Readonly<{ enterpriseId: number; conversationId: number }>,
) => Promise<unknown>;

export type ConferenceDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "hex" | "base62" | "digits" | "uuid">;
  directory: Directory;
  conversations: Conversations;
  invitations: Invitations;
  roomTokens: RoomTokens;
  tasks: Tasks;
  endRoom: EndRoom;
  /** Seals passwords. */
  secretBox: SecretBox;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;
