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

type Row = { from: readonly ConferenceStatus[]; to: ConferenceStatus | "kept" };

const alive: readonly ConferenceStatus[] = ["scheduled", "ongoing"];

/** Where the action leads, or would lead if it were allowed from there. */
export type Move = Readonly<{ isAllowed: boolean; to: ConferenceStatus }>;

const table: Readonly<Record<ConferenceAction, Row>> = {
  // The first who is let in; people who wait do not count.
  start: { from: ["scheduled"], to: "ongoing" },
  pause: { from: ["ongoing"], to: "scheduled" },
  end: { from: ["ongoing"], to: "ended" },
  // A day after the planned end, and nobody was there.
  lapse: { from: ["scheduled"], to: "ended" },
  cancel: { from: ["scheduled"], to: "cancelled" },
  change: { from: alive, to: "kept" },
  invite: { from: alive, to: "kept" },
};

export function move(from: ConferenceStatus, action: ConferenceAction): Move {
  const { from: allowed, to } = table[action];
  return { isAllowed: allowed.includes(from), to: to === "kept" ? from : to };
}

export function isOver(status: ConferenceStatus): boolean {
  return !alive.includes(status);
}

/** What an empty room means: whether the conference waits for people to come back. */
export function afterSession(
  { endTime, isOpen }: Readonly<{ endTime: Date; isOpen: boolean }>,
  now: Date,
): "pause" | "end" {
  return isOpen || now.getTime() < endTime.getTime() ? "pause" : "end";
}
