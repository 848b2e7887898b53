/** The public API, and nothing else: what the command line can do, any program can. */
import { setTimeout as delay } from "node:timers/promises";
import type { Credentials } from "./credentials.ts";
import { CliError, exitCodes } from "./exit.ts";
import { clean, type Shell } from "./shell.ts";

export type Query = Readonly<Record<string, string | number | undefined>>;

// What the API answers is looked at key by key.
export type Json = Record<string, unknown>;

export type Client = {
  readonly baseUrl: string;
  /** The JSON of a 2xx answer; `{}` where it has none. Throws a `CliError` for anything else. */
  call(method: string, path: string, input?: { query?: Query; body?: unknown }): Promise<Json>;
  /** A 2xx answer whose body is still to come. */
  open(path: string, input: { query?: Query; headers?: Record<string, string> }): Promise<Response>;
};

const mostTries = 4;

type Sent = { method: string; url: string; headers: Record<string, string>; body?: string };

export function createClient(
  shell: Pick<Shell, "fetch" | "signal">,
  credentials: Credentials,
  /** Of the calls: another one than Ctrl-C for what is tidied up after it. */
  signal: AbortSignal = shell.signal,
): Client {
  const { baseUrl } = credentials;
  const sendOnce = async ({ url, ...sent }: Sent): Promise<Response> => {
    const authorization = `Bearer ${await credentials.token()}`;
    const headers = { ...sent.headers, authorization };
    return shell
      .fetch(url, { ...sent, headers, redirect: "error", signal })
      .catch(explainFault(baseUrl, signal));
  };
  /** Waits where it is told to, and logs in again where the token is over. */
  const send = async (sent: Sent): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      const response = await sendOnce(sent);
      if (response.ok) {
        return response;
      }
      const waitMs = response.status === 429 ? patienceMs(response) : undefined;
      const isOver = response.status === 401 && tries === 1 && credentials.renew();
      if (tries >= mostTries || (waitMs === undefined && !isOver)) {
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
      return text === "" ? {} : (JSON.parse(text) as Json);
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

const mostPatienceMs = 60_000;

function patienceMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds * 1_000 <= mostPatienceMs
    ? seconds * 1_000
    : undefined;
}

/** What a problem says: its sentence, and the fields it is about. */
async function toRefusal(response: Response): Promise<CliError> {
  const told = (await response.json().catch(() => ({}))) as { detail?: string; code?: number };
  const code = told.code === undefined ? "" : `, code ${told.code}`;
  const detail = told.detail ?? "the answer says no reason";
  const message = `Refused with ${response.status}${code}: ${clean(detail)}`;
  return new CliError(exitCodes.refused, message, response.status);
}

function toQuery(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}
