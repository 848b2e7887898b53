import type { components } from "../../base/api-types.ts";
import type { Meaning } from "../../components/meaning.ts";

type Schemas = components["schemas"];

export type Meeting = Schemas["Conference"];
export type Participant = Schemas["ConferenceParticipant"];
export type MeetingSession = Schemas["ConferenceSession"];
export type MeetingFile = Schemas["ConferenceMedia"];

export type MeetingStatus = Meeting["status"];

export const meaningOf: Readonly<Record<MeetingStatus, Meaning>> = {
  scheduled: "waiting",
  ongoing: "good",
  ended: "neutral",
  cancelled: "bad",
};

export function isOver({ status }: Pick<Meeting, "status">): boolean {
  return status === "ended" || status === "cancelled";
}

/** It took place before its planned start, or not at all. */
export function endedBeforeStart(
  meeting: Pick<Meeting, "status" | "modified" | "start_time">,
): boolean {
  return isOver(meeting) && Date.parse(meeting.modified) < Date.parse(meeting.start_time);
}

export function minutesOf({ start_time, end_time }: Meeting): number {
  return Math.round((Date.parse(end_time) - Date.parse(start_time)) / 60_000);
}

/** The contact through which a guest was invited. */
export function contactOf({ email, phone }: Participant): string {
  return email ?? phone ?? "";
}
