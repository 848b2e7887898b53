/**
 * The life of a conference.
 *
 *   scheduled ──start──► ongoing ──pause──► scheduled      ongoing ──end──► ended
 *   scheduled ──cancel──► cancelled      scheduled ──lapse──► ended
 *
 * A room that got empty pauses while the planned time runs (or for ever where it is open), else it
 * ends. Who is in the room is not thrown out by a cancellation: what goes on is ended, not
 * cancelled. `ended` and `cancelled` are terminal. What the table does not name is refused.
 */
import type { Scope } from "../contracts/permissions.ts";

export const conferenceStatuses = ["scheduled", "ongoing", "ended", "cancelled"] as const;

export type ConferenceStatus = (typeof conferenceStatuses)[number];

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

/** Where the action leads, or would lead if it were allowed from there. */
export type ConferenceTransitionResult = Readonly<{ isAllowed: boolean; to: ConferenceStatus }>;

/** A user as others see them. */
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
  /** Empty where the enterprise has no gateway. */
  sipPhoneNumber: string;
  sipDtmfCode: string;
  organizer: ConferenceUser;
  createdBy: ConferenceUser;
  /** The organizer where nobody else was named. */
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

/** On whose behalf a use case runs. */
export type ConferenceCaller = Pick<Scope, "enterpriseId" | "userId">;

export type ConferenceRef = Readonly<{ enterpriseId: number; id: number }>;

const transitions: Readonly<Record<ConferenceAction, ConferenceTransition>> = {
  // The first who is let in; people who wait do not count.
  start: { from: ["scheduled"], to: "ongoing" },
  pause: { from: ["ongoing"], to: "scheduled" },
  end: { from: ["ongoing"], to: "ended" },
  // A day after the planned end, and nobody was there.
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

export function isOver(status: ConferenceStatus): boolean {
  return !activeStatuses.includes(status);
}

/** What an empty room means: whether the conference waits for people to come back. */
export function afterSession(
  { endTime, isOpen }: Readonly<{ endTime: Date; isOpen: boolean }>,
  now: Date,
): "pause" | "end" {
  return isOpen || now.getTime() < endTime.getTime() ? "pause" : "end";
}
