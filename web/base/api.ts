/**
 * The typed client of the public API, authenticated by the session cookie and, for writes, the
 * session's CSRF token.
 *
 *     const ticket = await call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } }));
 */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import { wait } from "../shared/wait.ts";
import { connection } from "./connection.ts";
import { ApiProblem } from "./problem.ts";

let csrfToken = "";
const signedOutListeners = new Set<() => void>();
let renewToken: () => Promise<boolean> = async () => false;

/** Sets the session's CSRF token, which every write carries. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/**
 * Called when the API rejects a call because the session ended. Returns the unsubscribe function.
 */
export function whenSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/**
 * Sets the function that fetches a new token if the same user signed in again in another tab; it
 * returns false otherwise.
 */
export function renewTokenWith(renew: typeof renewToken): void {
  renewToken = renew;
}

const carryToken: Middleware = {
  onRequest: ({ request }) => {
    if (request.method !== "GET" && csrfToken !== "") {
      request.headers.set("X-CSRF-TOKEN", csrfToken);
    }
    return request;
  },
};

/** A GET that fails on the network is retried once before it counts as an error. */
const secondTryMs = 400;

const gatewayFaults: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * A 502, 503 or 504 from a proxy means that the server is down; the server's own errors have a
 * problem body.
 */
function isOfGateway({ status, headers }: Response): boolean {
  return (
    gatewayFaults.has(status) && headers.get("content-type")?.includes("problem+json") !== true
  );
}

/**
 * While the server is unreachable, fails reads at once without sending them. Writes are always
 * sent.
 */
async function fetchPatiently(request: Request): Promise<Response> {
  const isQuestion = request.method === "GET";
  if (isQuestion && connection.state().isAway) {
    throw new TypeError("The platform cannot be reached.");
  }
  const again = isQuestion ? request.clone() : undefined;
  try {
    const response = await fetch(request).catch(async (thrown: unknown) => {
      if (again === undefined || request.signal.aborted) {
        throw thrown;
      }
      await wait(secondTryMs);
      return fetch(again);
    });
    if (isOfGateway(response)) {
      connection.reportAway();
    } else {
      connection.reportAnswer();
    }
    return response;
  } catch (thrown) {
    if (!request.signal.aborted) {
      connection.reportAway();
    }
    throw thrown;
  }
}

const csrfRefused = 7;

async function isCsrfRefused(response: Response): Promise<boolean> {
  if (response.status !== 403) {
    return false;
  }
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (problem as { code?: unknown } | undefined)?.code === csrfRefused;
}

/**
 * A call with the CSRF token of an earlier session had no effect, so it is sent again with the
 * current token.
 */
async function fetchWithToken(request: Request): Promise<Response> {
  if (request.method === "GET") {
    return fetchPatiently(request);
  }
  const again = request.clone();
  const response = await fetchPatiently(request);
  if (!(await isCsrfRefused(response)) || !(await renewToken())) {
    return response;
  }
  again.headers.set("X-CSRF-TOKEN", csrfToken);
  return fetchPatiently(again);
}

export const api = createClient<paths>({
  ...{ baseUrl: "", credentials: "same-origin", fetch: fetchWithToken },
});
api.use(carryToken);

type ApiResult = Readonly<{
  data?: unknown;
  error?: unknown;
  response: Response;
}>;

function problemOf({ error, response }: ApiResult): ApiProblem {
  const problem = typeof error === "object" && error !== null ? error : {};
  const seconds = Number(response.headers.get("retry-after"));
  return new ApiProblem({
    ...problem,
    status: response.status,
    retryAfter: seconds > 0 ? seconds : undefined,
  });
}

/** The session ended, or another user has signed in since. */
function isSignedOut({ response: { status }, error }: ApiResult): boolean {
  return (
    status === 401 ||
    (status === 403 && (error as { code?: unknown } | undefined)?.code === csrfRefused)
  );
}

/** Returns the response body. Throws an `ApiProblem` for error responses and network errors. */
export async function call<T extends ApiResult>(
  answering: Promise<T>,
): Promise<Exclude<T["data"], undefined>> {
  const result = await answering.catch((): never => {
    throw new ApiProblem({ status: 0 });
  });
  if (!result.response.ok) {
    if (isSignedOut(result)) {
      signedOutListeners.forEach((listener) => listener());
    }
    throw problemOf(result);
  }
  return result.data as Exclude<T["data"], undefined>;
}
