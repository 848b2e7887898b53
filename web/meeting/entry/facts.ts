/**
 * What the platform wrote into the head of the page: src/conferences/room-page.ts, and for an expert
 * in the call of a ticket src/guests/experts/present.ts.
 */
export type MeetingFacts = Readonly<{
  name: string;
  status: "scheduled" | "ongoing" | "ended" | "cancelled";
  /** Null for an expert, who is expected now. */
  start_time: string | null;
  organizer: string;
  is_password_required: boolean;
  is_locked: boolean;
  /** The person who is signed in on this browser may enter with their account. */
  account: Readonly<{ conference_id: number; role: string }> | null;
  /** Who was invited as an expert. Null: the person enters a name. */
  expert?: Readonly<{ name: string | null; enterprise: string }>;
}>;

/** Undefined: there is no such meeting. */
export function readFacts(): MeetingFacts | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="meeting"]')?.content;
  const facts = JSON.parse(content ?? "null") as MeetingFacts | null;
  return facts ?? undefined;
}
