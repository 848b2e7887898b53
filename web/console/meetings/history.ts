/** Derives the events of a meeting from its data. */
import {
  contactOf,
  type Meeting,
  type MeetingFile,
  type MeetingSession,
  type Participant,
} from "./types.ts";

/** An event with the values for its sentence. */
export type HistoryEvent = Readonly<{ id: string; at: string }> &
  (
    | Readonly<{ type: "began" | "ended" | "cancelled" }>
    | Readonly<{ type: "created" | "came" | "left"; name: string }>
    | Readonly<{ type: "invited"; names: readonly string[] }>
    | Readonly<{ type: "over"; ms: number; reason: NonNullable<MeetingSession["end_reason"]> }>
    | Readonly<{ type: "file"; name: string; file: string }>
  );

type Known = Readonly<{
  meeting: Meeting;
  participants: readonly Participant[];
  sessions: readonly MeetingSession[];
  files: readonly MeetingFile[];
}>;

/** Oldest first; events of the same second are in logical order. */
export function historyOf({ meeting, participants, sessions, files }: Known): HistoryEvent[] {
  return [
    {
      ...{ id: "created", at: meeting.created, type: "created" as const },
      name: meeting.created_by.name,
    },
    ...invitationsOf(participants),
    ...sessions.toReversed().flatMap(eventsOf),
    ...files.map((file): HistoryEvent => ({
      ...{ id: `file ${file.id}`, at: file.created, type: "file" },
      ...{ name: file.owner.name, file: file.title },
    })),
    ...endOf(meeting),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Guests invited at the same time form one event. */
function invitationsOf(participants: readonly Participant[]): HistoryEvent[] {
  const byTime = new Map<string, string[]>();
  for (const guest of participants) {
    if (guest.invited !== null) {
      byTime.set(guest.invited, [...(byTime.get(guest.invited) ?? []), contactOf(guest)]);
    }
  }
  return [...byTime].map(([at, names]) => ({ id: `invited ${at}`, at, type: "invited", names }));
}

function eventsOf(session: MeetingSession): HistoryEvent[] {
  const { id, start_time: start, end_time: end, end_reason: reason, participants } = session;
  const came = participants.map((one, nth): HistoryEvent => ({
    ...{ id: `came ${id} ${nth}`, at: one.start_time, type: "came", name: one.name },
  }));
  const left = participants.flatMap((one, nth): HistoryEvent[] =>
    one.end_time === null
      ? []
      : [{ id: `left ${id} ${nth}`, at: one.end_time, type: "left", name: one.name }],
  );
  const over: HistoryEvent[] =
    end === null || reason === null
      ? []
      : [
          {
            id: `over ${id}`,
            at: end,
            type: "over",
            ms: Date.parse(end) - Date.parse(start),
            reason,
          },
        ];
  return [{ id: `began ${id}`, at: start, type: "began" }, ...came, ...left, ...over];
}

/** Final states, so `modified` is the time of the end. */
function endOf({ status, modified }: Meeting): HistoryEvent[] {
  return status === "ended" || status === "cancelled"
    ? [{ id: status, at: modified, type: status }]
    : [];
}
