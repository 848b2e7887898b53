/**
 * The public API as the pages call it: by the session's cookie, with the session's CSRF token on
 * whatever changes something. `api` is typed by the operations that are served.
 *
 *     const ticket = await call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } }));
 */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import { connection } from "./connection.ts";
import { ApiProblem } from "./problem.ts";

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

let csrfToken = "";
const signedOutListeners = new Set<() => void>();
let renewToken: () => Promise<boolean> = async () => false;

/** What the session said; every call that changes something carries it. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Told when a call was refused because nobody is signed in any more. Returns what ends that. */
export function whenSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** Gets a token for the same person, who signed in again elsewhere; false where that is not so. */
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

/** A connection that broke off is nobody's concern, if the next one does not. */
const secondTryMs = 400;

const gatewayFaults: ReadonlySet<number> = new Set([502, 503, 504]);

/** A proxy answers for a platform that is not there; the platform itself says more. */
function isOfGateway({ status, headers }: Response): boolean {
  return (
    gatewayFaults.has(status) && headers.get("content-type")?.includes("problem+json") !== true
  );
}

/** Waits for nobody and sends nothing while the platform is away, but for what somebody did. */
async function fetchPatiently(request: Request): Promise<Response> {
  const isQuestion = request.method === "GET";
  if (isQuestion && connection.state().isAway) {
    throw new TypeError("The platform is away.");
  }
  const again = isQuestion ? request.clone() : undefined;
  try {
    const response = await fetch(request).catch(async (thrown: unknown) => {
      if (again === undefined || request.signal.aborted) {
        throw thrown;
      }
      await pause(secondTryMs);
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

/** A call whose token is of an earlier session was not done: it is sent again with the present one. */
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

/** Nobody is signed in; or somebody else is by now, whose session the page does not know. */
function isSignedOut({ response: { status }, error }: ApiResult): boolean {
  return (
    status === 401 ||
    (status === 403 && (error as { code?: unknown } | undefined)?.code === csrfRefused)
  );
}

/** The answer's body. Throws an `ApiProblem` for every refusal, and where nothing answered. */
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
