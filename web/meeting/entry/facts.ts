import type { ConferenceStatus } from "../../../src/contracts/conferences.ts";

/**
 * What the platform wrote into the head of the page: src/conferences/room-routes.ts, and for an expert
 * in the call of a ticket src/guests/experts/access.ts.
 */
export type MeetingFacts = Readonly<{
  name: string;
  status: ConferenceStatus;
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

/** As they are now, in a page that was opened some time ago. */
export async function fetchFacts(): Promise<MeetingFacts | undefined> {
  const response = await fetch(location.pathname, { cache: "no-store" });
  // Of the page, only the facts: the policy of this one would report the styles of the other.
  const [tag = ""] = /<meta name="meeting" content="[^"]*">/u.exec(await response.text()) ?? [];
  return readFacts(new DOMParser().parseFromString(tag, "text/html"));
}

/** Undefined: there is no such meeting. */
export function readFacts(page: Document = document): MeetingFacts | undefined {
  const content = page.querySelector<HTMLMetaElement>('meta[name="meeting"]')?.content;
  const facts = JSON.parse(content ?? "null") as MeetingFacts | null;
  return facts ?? undefined;
}
