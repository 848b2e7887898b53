/** What the platform wrote into the head of the page: src/conferences/room-page.ts. */
export type MeetingFacts = Readonly<{
  name: string;
  status: "scheduled" | "ongoing" | "ended" | "cancelled";
  start_time: string;
  end_time: string;
  organizer: string;
  is_password_required: boolean;
  is_locked: boolean;
  /** The person who is signed in on this browser may enter with their account. */
  account: Readonly<{ conference_id: number; role: string }> | null;
}>;

/** Undefined: there is no such meeting. */
export function readFacts(): MeetingFacts | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="meeting"]')?.content;
  const facts = JSON.parse(content ?? "null") as MeetingFacts | null;
  return facts ?? undefined;
}
