export type RestAnswer = {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
};

export type RestClient = {
  /** Makes one call. Rejects only without a response. */
  call(operation: string, options?: CallOptions): Promise<RestAnswer>;
  /** The same, but rejects unless the status is 2xx. */
  succeed(operation: string, options?: CallOptions): Promise<RestAnswer>;
};

export type CallOptions = { body?: unknown; headers?: Record<string, string> };

const callTimeoutMs = 20_000;

function bodyOf(text: string): RestAnswer["body"] {
  return text === "" ? {} : (JSON.parse(text) as RestAnswer["body"]);
}

type Place = { baseUrl: () => string; headers: Record<string, string> };

async function callOnce(
  { baseUrl, headers }: Place,
  operation: string,
  options: CallOptions = {},
): Promise<RestAnswer> {
  const [method = "GET", path = ""] = operation.split(" ");
  const response = await fetch(`${baseUrl()}/api${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers, ...options.headers },
    signal: AbortSignal.timeout(callTimeoutMs),
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const { status } = response;
  return { status, headers: response.headers, body: bodyOf(await response.text()) };
}

function insistOnSuccess(operation: string, answer: RestAnswer): RestAnswer {
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer;
}

export type Login = { login: string; password: string };

/** A client of the REST API for this user, over real HTTP. The base URL may change later. */
export async function logIn(
  baseUrl: () => string,
  { login, password }: Login,
): Promise<RestClient> {
  const body = { grant_type: "password", username: login, password };
  const answer = await callOnce({ baseUrl, headers: {} }, "POST /token", { body });
  const token = String(insistOnSuccess("POST /token", answer).body["access_token"]);
  const place = { baseUrl, headers: { authorization: `Bearer ${token}` } };
  return {
    call: (operation, options) => callOnce(place, operation, options),
    succeed: async (operation, options) =>
      insistOnSuccess(operation, await callOnce(place, operation, options)),
  };
}
