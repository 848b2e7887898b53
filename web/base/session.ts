/** The session of this browser. */
import { api, call, renewTokenWith, setCsrfToken } from "./api.ts";
import type { components } from "./api-types.ts";
import { asProblem } from "./problem.ts";
import type { Permission } from "../../src/contracts/permissions.ts";
import { isFramed } from "../shared/parent-frame.ts";

export type Session = components["schemas"]["BrowserSession"];

export function may(session: Session, permission: Permission): boolean {
  return session.permissions[permission] !== undefined;
}

/** Notifies all tabs of this browser that one of them has found a session. */
const pages = new BroadcastChannel("session");

/** Called once another tab has a session. Returns the unsubscribe function. */
export function whenSignedInElsewhere(listener: () => void): () => void {
  pages.addEventListener("message", listener);
  return () => pages.removeEventListener("message", listener);
}

let userId: number | undefined;
let isWithoutSession = false;

function remember(session: Session): Session {
  userId = session.user.id;
  isWithoutSession = false;
  setCsrfToken(session.csrf_token);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  pages.postMessage("found");
  return session;
}

renewTokenWith(async () => {
  const { data } = await api.GET("/api/browser-session").catch(() => ({ data: undefined }));
  if (data === undefined || data.user.id !== userId) {
    return false;
  }
  remember(data);
  return true;
});

/**
 * The server rendered the page without a session cookie, which saves one request. Valid for the
 * first call only.
 */
function isKnownToHaveNone(): boolean {
  const mark = document.querySelector('meta[name="session"][content="none"]');
  mark?.remove();
  isWithoutSession = mark !== null || isWithoutSession;
  return mark !== null;
}

/** Whether the browser sent a session cookie, so that an expired session is worth a message. */
export function hadSession(): boolean {
  return !isWithoutSession;
}

/**
 * The session of this browser; null if signed out. Reloads a page of `ownerId` if another user has
 * signed in, so that no open form is saved as that user: a page that stays keeps its old token.
 */
export async function fetchSession(ownerId?: number): Promise<Session | null> {
  if (isKnownToHaveNone()) {
    return null;
  }
  try {
    const session = await call(api.GET("/api/browser-session"));
    if (ownerId !== undefined && session.user.id !== ownerId) {
      window.location.reload();
      return null;
    }
    return remember(session);
  } catch (thrown) {
    if (asProblem(thrown).status === 401) {
      return null;
    }
    throw thrown;
  }
}

export type Credentials = Readonly<{ login: string; password: string }>;

/** Signs in. In a cross-site iframe, the API sets a partitioned cookie. */
export async function signIn(credentials: Credentials): Promise<Session> {
  const body = { ...credentials, embedded: isFramed() };
  return remember(await call(api.POST("/api/browser-session", { body })));
}

export async function signOut(): Promise<void> {
  await call(api.DELETE("/api/browser-session"));
  isWithoutSession = true;
  setCsrfToken("");
}
