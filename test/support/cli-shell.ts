import { run } from "../../src/cli/main.ts";
import type { ExitCode, Shell } from "../../src/cli/shell.ts";
import type { Call } from "./webhook-api.ts";

export type CliOptions = {
  env?: Record<string, string>;
  /** The content of the standard input. */
  input?: string;
  files?: Record<string, string | Buffer>;
  /** The answers at an interactive terminal. Without them, the command is not interactive. */
  answers?: string[];
  now?: Date;
  fetch?: typeof fetch;
};

export type CliRun = {
  readonly out: string;
  readonly err: string;
  /** Simulates Ctrl-C. */
  interrupt(): void;
  /** Resolves with the exit code. */
  readonly done: Promise<ExitCode>;
};

/** Starts a command line in this process. */
export function startCli(words: readonly string[], options: CliOptions = {}): CliRun {
  const { env = {}, input = "", files = {}, answers, now, fetch: ownFetch = fetch } = options;
  const said = { out: "", err: "" };
  const stop = new AbortController();
  const shell: Shell = {
    env,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    isTerminal: false,
    hasColours: false,
    signal: stop.signal,
    ask:
      answers === undefined
        ? undefined
        : async (question) => {
            said.err += question;
            return answers.shift() ?? "";
          },
    readFile: async (path) => {
      const content = files[path];
      if (content === undefined) {
        throw new Error(`The test has no file ${path}`);
      }
      return Buffer.from(content);
    },
    readInput: async () => input,
    fetch: ownFetch,
    now: () => now ?? new Date(),
  };
  const done = run(shell, words);
  return {
    get out() {
      return said.out;
    },
    get err() {
      return said.err;
    },
    interrupt: () => stop.abort(),
    done,
  };
}

/** Runs a command line to its end. */
export async function runCli(words: readonly string[], options: CliOptions = {}) {
  const started = startCli(words, options);
  const code = await started.done;
  return { code, out: started.out, err: started.err };
}

/** The URL of a `fetch` call. */
export function urlOf(input: Parameters<typeof fetch>[0]): URL {
  return new URL(input instanceof Request ? input.url : input);
}

/** A `fetch` that passes requests to the API of the test instead of the network. */
export function fetchBy(call: Call): typeof fetch {
  return async (url, init) => {
    const { pathname, search } = urlOf(url);
    const sent = typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
    const path = `${pathname.replace(/^\/api/u, "")}${search}`;
    const { status, body, headers } = await call(init?.method ?? "GET", path, sent);
    return new Response(JSON.stringify(body), {
      status,
      headers: { ...Object.fromEntries(headers) },
    });
  };
}

/** Dummy credentials, for calls that the test answers itself. */
export const anyone = { SIGHTLINE_URL: "http://sightline.test", SIGHTLINE_TOKEN: "any" };
