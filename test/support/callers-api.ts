import type { Caller, AnyRoute } from "../../src/http/route.ts";
import type { Authenticated } from "../../src/http/authorize.ts";
import { startApi } from "./api.ts";

export type ApiAnswer = {
  status: number;
  headers: Headers;
  body: Record<string, any>; // oxlint-disable-line no-explicit-any -- a test reads unknown JSON
};

/** Calls the API as one user. */
export type Call = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

export type Callers = {
  admit(caller: Caller): void;
  revoke(caller: Caller): void;
  authenticate(token: string): Promise<Authenticated | undefined>;
};

/** Users whose tokens are valid until a test revokes them. */
export function createCallers(): Callers {
  const callers = new Map<string, Caller>();
  return {
    admit: (caller) => void callers.set(caller.token, caller),
    revoke: (caller) => void callers.delete(caller.token),
    authenticate: async (token) => {
      const caller = callers.get(token);
      return caller === undefined ? undefined : { caller, hasSolution: true };
    },
  };
}

export type CallersApi = {
  /** Base URL of the API, including `/api`. */
  readonly url: string;
  /** A client for this user, whose token is valid from now on. */
  as(caller: Caller): Call;
  close(): Promise<void>;
};

async function callApi(
  url: string,
  method: string,
  { token, body }: { token: string; body: unknown },
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? {} : JSON.parse(text)) as ApiAnswer["body"],
  };
}

/** Serves operations on a real HTTP server, with the real router. */
export async function serveCallers(
  routes: readonly AnyRoute[],
  callers: Callers = createCallers(),
): Promise<CallersApi> {
  const api = await startApi({ routes, authenticate: callers.authenticate });
  const url = `${api.url}/api`;
  return {
    url,
    as: (caller) => {
      callers.admit(caller);
      return (method, path, body) =>
        callApi(`${url}${path}`, method, { token: caller.token, body });
    },
    close: () => api.close(),
  };
}
