/** The public API, and nothing else: what the command line can do, any program can. */
import { setTimeout as delay } from "node:timers/promises";
import { CliError, exitCodes, replaceControls, type Shell, usageError } from "./shell.ts";

export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

// What the API answers is looked at key by key.
export type JsonObject = Record<string, unknown>;

export type ApiClient = {
  readonly baseUrl: string;
  /** The JSON of a 2xx answer; `{}` where it has none. Throws a `CliError` for anything else. */
  call(
    method: string,
    path: string,
    input?: { query?: QueryParameters; body?: unknown },
  ): Promise<JsonObject>;
  /** A 2xx answer whose body is still to come. */
  open(
    path: string,
    input: { query?: QueryParameters; headers?: Record<string, string> },
  ): Promise<Response>;
};

/** Where the platform is, and who calls. Nothing of it is ever printed. */
export type Credentials = {
  baseUrl: string;
  /** The token to use. With a login it is asked for once, and again when it is over. */
  token(): Promise<string>;
  /** Forgets a token that was refused. False where there is no way to get another one. */
  renew(): boolean;
};

const maxAttempts = 4;

type OutgoingCall = { method: string; url: string; headers: Record<string, string>; body?: string };

export function createClient(
  shell: Pick<Shell, "fetch" | "signal">,
  credentials: Credentials,
  /** Of the calls: another one than Ctrl-C for what is tidied up after it. */
  signal: AbortSignal = shell.signal,
): ApiClient {
  const { baseUrl } = credentials;
  const sendOnce = async ({ url, ...sent }: OutgoingCall): Promise<Response> => {
    const authorization = `Bearer ${await credentials.token()}`;
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
    call: async (method, path, { query, body } = {}) => {
      const response = await send({
        method,
        url: `${baseUrl}/api${path}${toQuery(query)}`,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text().catch(explainFault(baseUrl, signal));
      return text === "" ? {} : (JSON.parse(text) as JsonObject);
    },
    open: async (path, { query, headers = {} }) =>
      send({ method: "GET", url: `${baseUrl}/api${path}${toQuery(query)}`, headers }),
  };
}

/** Throws as the command line says it where nothing answers, or Ctrl-C was pressed. */
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

/** What a problem says: its sentence, and the fields it is about. */
async function toRefusal(response: Response): Promise<CliError> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; code?: number };
  const code = problem.code === undefined ? "" : `, code ${problem.code}`;
  const detail = problem.detail ?? "the answer says no reason";
  const message = `Refused with ${response.status}${code}: ${replaceControls(detail)}`;
  return new CliError(exitCodes.refused, message, response.status);
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
      "Who calls? Set SIGHTLINE_TOKEN, or SIGHTLINE_LOGIN and SIGHTLINE_PASSWORD. See docs/cli.md.",
    );
  }
  let asked: Promise<string> | undefined;
  return {
    baseUrl,
    token: () => (asked ??= logIn(shell, { baseUrl, username, password })),
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
    throw usageError("SIGHTLINE_URL must not hold a user or password: set SIGHTLINE_TOKEN.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
}

type Login = { baseUrl: string; username: string; password: string };

async function logIn(
  shell: Pick<Shell, "fetch">,
  { baseUrl, username, password }: Login,
): Promise<string> {
  const body = new URLSearchParams({ grant_type: "password", username, password });
  // A password goes nowhere but where it was meant to go.
  const init: RequestInit = { method: "POST", body, redirect: "error" };
  const response = await shell.fetch(`${baseUrl}/api/token`, init).catch(() => {
    throw new CliError(exitCodes.refused, `Nothing answers at ${baseUrl}.`);
  });
  const { access_token: token, detail } = (await response.json().catch(() => ({}))) as {
    access_token?: string;
    detail?: string;
  };
  if (token === undefined) {
    const reason = replaceControls(detail ?? `the answer was ${response.status}`);
    throw new CliError(exitCodes.refused, `Logging in failed: ${reason}`, response.status);
  }
  return token;
}
