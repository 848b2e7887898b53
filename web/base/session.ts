/** Who is signed in on this browser. */
import { api, call, setCsrfToken } from "./api.ts";
import type { components } from "./api-types.ts";
import { asProblem } from "./problem.ts";
import type { Permission } from "../../src/contracts/permissions.ts";

export type Session = components["schemas"]["BrowserSession"];

export const may = (session: Session, permission: Permission): boolean =>
  session.permissions[permission] !== undefined;

const remember = (session: Session): Session => {
  setCsrfToken(session.csrf_token);
  return session;
};

/** The session of this browser; null where nobody is signed in. */
export const fetchSession = async (): Promise<Session | null> => {
  try {
    return remember(await call(api.GET("/api/browser-session")));
  } catch (thrown) {
    if (asProblem(thrown).status === 401) {
      return null;
    }
    throw thrown;
  }
};

export type Credentials = Readonly<{ login: string; password: string }>;

/** Signs in here. In an iframe of another site the cookie is one that such frames may keep. */
export const signIn = async (credentials: Credentials): Promise<Session> => {
  const body = { ...credentials, embedded: window.self !== window.top };
  return remember(await call(api.POST("/api/browser-session", { body })));
};

export const signOut = async (): Promise<void> => {
  await call(api.DELETE("/api/browser-session"));
  setCsrfToken("");
};
