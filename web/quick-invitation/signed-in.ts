/**
 * Who is signed in, where this page stands in a frame of another site. Which sites may show it was
 * decided with the document, by who was signed in then: for anybody of another enterprise it has to
 * be decided anew, before they see a form that such a site could make them click.
 */
import { fetchSession, type Session } from "../base/session.ts";
import { isFramed } from "./parent.ts";

/** The enterprise that the document was loaded for; null where nobody was signed in. */
let decidedFor: number | null | undefined;

/** The session of this browser. In a frame that was not decided for it, the page is loaded anew. */
export async function fetchSignedIn(): Promise<Session | null> {
  const session = await fetchSession();
  if (decidedFor === undefined) {
    decidedFor = session?.enterprise.id ?? null;
  }
  if (!isFramed() || session === null || session.enterprise.id === decidedFor) {
    return session;
  }
  location.reload();
  return new Promise(() => undefined); // what is shown stays until the other document is there
}
