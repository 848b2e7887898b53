/** The platform refused, or gave no answer at all (status 0). */
export class ApiFault extends Error {
  readonly status: number;
  /** The `details` of the problem: `Reason consent`. */
  readonly details: string | undefined;

  constructor(status: number, details?: string) {
    super(`The platform responded with ${status}.`);
    this.name = "ApiFault";
    this.status = status;
    this.details = details;
  }
}

export type ApiCall = Readonly<{
  /** Below `/api`. */
  path: string;
  /** The room token; undefined: nobody's. */
  token?: string;
  method?: "GET" | "POST" | "PUT";
  body?: FormData | Blob | object | undefined;
  signal?: AbortSignal;
}>;

/** Out: the JSON of the answer; undefined if it has none. Throws an `ApiFault`. */
export async function callApi<Result>(input: ApiCall): Promise<Result> {
  const { path, token, method = "GET", body, signal } = input;
  const encoded = encode(body);
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const init = {
    method,
    // No cookie: a user who is signed in on this browser is not the one in the room.
    credentials: "omit",
    cache: "no-store",
    headers: { ...encoded.headers, ...bearer },
    body: encoded.body,
    signal: signal ?? null,
  } as const;
  try {
    const response = await fetch(`/api${path}`, init);
    if (!response.ok) {
      throw new ApiFault(response.status, await detailsOf(response));
    }
    return (response.status === 204 ? undefined : await response.json()) as Result;
  } catch (thrown) {
    throw thrown instanceof ApiFault ? thrown : new ApiFault(0);
  }
}

async function detailsOf(response: Response): Promise<string | undefined> {
  const body = (await response.json().catch(() => ({}))) as { details?: string } | null;
  return body?.details;
}

type Encoded = Readonly<{
  headers: Readonly<Record<string, string>>;
  body: FormData | Blob | string | null;
}>;

/** The type of a form is set by the browser, with its boundary. */
function encode(body: ApiCall["body"]): Encoded {
  if (body === undefined || body instanceof FormData) {
    return { headers: {}, body: body ?? null };
  }
  return body instanceof Blob
    ? { headers: { "Content-Type": "application/octet-stream" }, body }
    : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
