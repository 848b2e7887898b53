/** Who is signed in on this browser. */
import { api, call, renewTokenWith, setCsrfToken } from "./api.ts";
import type { components } from "./api-types.ts";
import { asProblem } from "./problem.ts";
import type { Permission } from "../../src/contracts/permissions.ts";

export type Session = components["schemas"]["BrowserSession"];

export function may(session: Session, permission: Permission): boolean {
  return session.permissions[permission] !== undefined;
}

/** All pages of this browser: each tells the others that it found a session. */
const pages = new BroadcastChannel("session");

/** Calls back once another page of this browser has a session. Returns what ends that. */
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

/** The server saw no cookie when it sent the page: one question less. Told once. */
function isKnownToHaveNone(): boolean {
  const mark = document.querySelector('meta[name="session"][content="none"]');
  mark?.remove();
  isWithoutSession = mark !== null || isWithoutSession;
  return mark !== null;
}

/** Whether the browser came with a session's cookie, so that one that is over is news. */
export function hadSession(): boolean {
  return !isWithoutSession;
}

/** The session of this browser; null where nobody is signed in. */
export async function fetchSession(): Promise<Session | null> {
  if (isKnownToHaveNone()) {
    return null;
  }
  try {
    return remember(await call(api.GET("/api/browser-session")));
  } catch (thrown) {
    if (asProblem(thrown).status === 401) {
      return null;
    }
    throw thrown;
  }
}

export type Credentials = Readonly<{ login: string; password: string }>;

/** Signs in here. In an iframe of another site the cookie is one that such frames may keep. */
export async function signIn(credentials: Credentials): Promise<Session> {
  const body = { ...credentials, embedded: window.self !== window.top };
  return remember(await call(api.POST("/api/browser-session", { body })));
}

export async function signOut(): Promise<void> {
  await call(api.DELETE("/api/browser-session"));
  isWithoutSession = true;
  setCsrfToken("");
}
