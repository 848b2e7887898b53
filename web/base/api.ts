/**
 * The public API as the pages call it: by the session's cookie, with the session's CSRF token on
 * whatever changes something. `api` is typed by the operations that are served.
 *
 *     const ticket = await call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } }));
 */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import { ApiProblem } from "./problem.ts";

let csrfToken = "";
let onSignedOut: () => void = () => {};

/** What the session said; every call that changes something carries it. */
export const setCsrfToken = (token: string): void => {
  csrfToken = token;
};

/** Called when a call was refused because nobody is signed in any more. */
export const whenSignedOut = (listener: () => void): void => {
  onSignedOut = listener;
};

const carryToken: Middleware = {
  onRequest: ({ request }) => {
    if (request.method !== "GET" && csrfToken !== "") {
      request.headers.set("X-CSRF-TOKEN", csrfToken);
    }
    return request;
  },
};

export const api = createClient<paths>({ baseUrl: "", credentials: "same-origin" });
api.use(carryToken);

type Told = Readonly<{
  data?: unknown;
  error?: unknown;
  response: Response;
}>;

const problemOf = ({ error, response }: Told): ApiProblem => {
  const told = typeof error === "object" && error !== null ? error : {};
  const seconds = Number(response.headers.get("retry-after"));
  return new ApiProblem({
    ...told,
    status: response.status,
    retryAfter: seconds > 0 ? seconds : undefined,
  });
};

/** Nobody is signed in; or somebody else is by now, whose session the page does not know. */
const isSignedOut = ({ response: { status }, error }: Told): boolean =>
  status === 401 || (status === 403 && (error as { code?: unknown } | undefined)?.code === 7);

/** The answer's body. Throws an `ApiProblem` for every refusal, and where nothing answered. */
export const call = async <T extends Told>(
  answering: Promise<T>,
): Promise<Exclude<T["data"], undefined>> => {
  const told = await answering.catch((): never => {
    throw new ApiProblem({ status: 0 });
  });
  if (!told.response.ok) {
    if (isSignedOut(told)) {
      onSignedOut();
    }
    throw problemOf(told);
  }
  return told.data as Exclude<T["data"], undefined>;
};
