/**
 * The session of an embedded page. The allowed embedding sites depend on the user at page load: a
 * user of another enterprise needs a reload before the form is shown (clickjacking).
 */
import { fetchSession, type Session } from "../base/session.ts";
import { isFramed } from "../shared/parent-frame.ts";

/** The enterprise at page load; null if signed out. */
let decidedFor: number | null | undefined;

/** The session of this browser. Reloads an iframe that was loaded for another enterprise. */
export async function fetchSignedIn(): Promise<Session | null> {
  const session = await fetchSession();
  if (decidedFor === undefined) {
    decidedFor = session?.enterprise.id ?? null;
  }
  if (!isFramed() || session === null || session.enterprise.id === decidedFor) {
    return session;
  }
  location.reload();
  return new Promise(() => undefined); // keeps the current content until the reload
}
