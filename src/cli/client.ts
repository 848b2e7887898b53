/** A client of the public API. The command line uses nothing else. */
import { setTimeout as delay } from "node:timers/promises";
import { CliError, exitCodes, replaceControls, type Shell, usageError } from "./shell.ts";

export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

export type JsonObject = Record<string, unknown>;

export type CallInput<Answer> = {
  query?: QueryParameters;
  body?: unknown;
  /** Fields that the command reads: without one of them, the answer is not the API's. */
  fields?: readonly (keyof Answer & string)[];
};

export type ApiClient = {
  readonly baseUrl: string;
  /** The JSON of a 2xx answer; `{}` for 204. Throws a `CliError` for any other answer. */
  call<Answer extends object = JsonObject>(
    method: string,
    path: string,
    input?: CallInput<Answer>,
  ): Promise<Answer>;
  /** A 2xx answer with an unread body. */
  open(
    path: string,
    input: { query?: QueryParameters; headers?: Record<string, string> },
  ): Promise<Response>;
};

/** The address of the platform and the caller's credentials. Never printed. */
export type Credentials = {
  baseUrl: string;
  /**
   * The access token. With a login it is requested once, and again after it expires or could not be
   * requested.
   */
  token(signal: AbortSignal): Promise<string>;
  /** Discards a rejected token. False if no other can be requested. */
  renew(): boolean;
};

const maxAttempts = 4;

type OutgoingCall = { method: string; url: string; headers: Record<string, string>; body?: string };

export function createClient(
  shell: Pick<Shell, "fetch" | "signal">,
  credentials: Credentials,
  /** Aborts the calls. Cleanup after Ctrl-C passes another signal. */
  signal: AbortSignal = shell.signal,
): ApiClient {
  const { baseUrl } = credentials;
  const sendOnce = async ({ url, ...sent }: OutgoingCall): Promise<Response> => {
    const authorization = `Bearer ${await credentials.token(signal)}`;
    const headers = { ...sent.headers, authorization };
    return shell
      .fetch(url, { ...sent, headers, redirect: "error", signal })
      .catch(explainFault(baseUrl, signal));
  };
  /** Retries after Retry-After, and re-authenticates once on 401. */
  const send = async (sent: OutgoingCall): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      const response = await sendOnce(sent);
      if (response.ok) {
        return response;
      }
      const waitMs = response.status === 429 ? retryAfterMs(response) : undefined;
      const isOver = response.status === 401 && tries === 1 && credentials.renew();
      if (tries >= maxAttempts || (waitMs === undefined && !isOver)) {
        throw await toRefusal(response);
      }
      await delay(waitMs ?? 0, undefined, { signal }).catch(explainFault(baseUrl, signal));
    }
  };
  return {
    baseUrl,
    call: async <Answer extends object>(
      method: string,
      path: string,
      { query, body, fields = [] }: CallInput<Answer> = {},
    ) => {
      const url = `${baseUrl}/api${path}`;
      const response = await send({
        method,
        url: `${url}${toQuery(query)}`,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text().catch(explainFault(baseUrl, signal));
      const answer = response.status === 204 ? {} : parseObject(text);
      if (answer === undefined || fields.some((name) => answer[name] === undefined)) {
        throw foreignAnswer(url, response.status);
      }
      return answer as Answer;
    },
    open: async (path, { query, headers = {} }) =>
      send({ method: "GET", url: `${baseUrl}/api${path}${toQuery(query)}`, headers }),
  };
}

/** Throws a `CliError` for network errors and for Ctrl-C. */
function explainFault(baseUrl: string, signal: AbortSignal) {
  return (thrown: unknown) => {
    if (signal.aborted) {
      throw new CliError(exitCodes.interrupted, "Interrupted.");
    }
    const { cause, message } = thrown as Error & { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    throw new CliError(exitCodes.refused, `${baseUrl} cannot be reached: ${reason}.`);
  };
}

const maxRetryAfterMs = 60_000;

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds * 1_000 <= maxRetryAfterMs
    ? seconds * 1_000
    : undefined;
}

/** The message of a problem and its fields. */
async function toRefusal(response: Response): Promise<CliError> {
  const problem = parseObject(await response.text().catch(() => "")) ?? {};
  const code = typeof problem["code"] === "number" ? `, code ${problem["code"]}` : "";
  const detail = typeof problem["detail"] === "string" ? problem["detail"] : "no reason given";
  const message = `Refused with ${response.status}${code}: ${replaceControls(detail)}`;
  return new CliError(exitCodes.refused, message, response.status);
}

/** Undefined if the text is not a JSON object. */
function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** For a success that something else sent, such as a maintenance page. */
export function foreignAnswer(url: string, status: number): CliError {
  return new CliError(
    exitCodes.refused,
    `${url} answered ${status}, but not as the API of Sightline does. Check SIGHTLINE_URL and the proxies before the platform.`,
  );
}

function toQuery(query: QueryParameters = {}): string {
  const input = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return input.length === 0 ? "" : `?${new URLSearchParams(input).toString()}`;
}

const defaultUrl = "http://127.0.0.1:3000";

/** From `SIGHTLINE_URL`, and `SIGHTLINE_TOKEN` or `SIGHTLINE_LOGIN` with `SIGHTLINE_PASSWORD`. */
export function readCredentials(shell: Pick<Shell, "env" | "fetch">): Credentials {
  const { env } = shell;
  const baseUrl = readUrl(env["SIGHTLINE_URL"] ?? defaultUrl);
  const input = env["SIGHTLINE_TOKEN"];
  const [username, password] = [env["SIGHTLINE_LOGIN"], env["SIGHTLINE_PASSWORD"]];
  if (input !== undefined && input !== "") {
    return { baseUrl, token: async () => input, renew: () => false };
  }
  if (username === undefined || password === undefined) {
    throw usageError(
      "Credentials are missing. Set SIGHTLINE_TOKEN, or SIGHTLINE_LOGIN and SIGHTLINE_PASSWORD. See docs/cli.md.",
    );
  }
  let asked: Promise<string> | undefined;
  return {
    baseUrl,
    token: (signal) => {
      if (asked === undefined) {
        const login = logIn(shell, { baseUrl, username, password }, signal);
        asked = login;
        // The next call signs in again: the platform may be back by then.
        login.catch(() => {
          asked = asked === login ? undefined : asked;
        });
      }
      return asked;
    },
    renew: () => {
      asked = undefined;
      return true;
    },
  };
}

function readUrl(input: string): string {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`SIGHTLINE_URL must be an http or https address, not "${input}".`);
  }
  if (url.username !== "" || url.password !== "") {
    throw usageError(
      "SIGHTLINE_URL must not contain a user name or password. Set SIGHTLINE_TOKEN instead.",
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
}

type Login = { baseUrl: string; username: string; password: string };

async function logIn(
  shell: Pick<Shell, "fetch">,
  { baseUrl, username, password }: Login,
  signal: AbortSignal,
): Promise<string> {
  const body = new URLSearchParams({ grant_type: "password", username, password });
  // A redirect must not receive the password.
  const init: RequestInit = { method: "POST", body, redirect: "error", signal };
  const url = `${baseUrl}/api/token`;
  const response = await shell.fetch(url, init).catch(explainFault(baseUrl, signal));
  const { access_token: token, detail } = parseObject(await response.text().catch(() => "")) ?? {};
  if (typeof token === "string") {
    return token;
  }
  if (response.ok) {
    throw foreignAnswer(url, response.status);
  }
  const reason = replaceControls(typeof detail === "string" ? detail : `HTTP ${response.status}`);
  throw new CliError(exitCodes.refused, `Sign-in failed: ${reason}`, response.status);
}
