import { CliError, exitCodes, usageError } from "./exit.ts";
import { clean, type Shell } from "./shell.ts";

/** Where the platform is, and who calls. Nothing of it is ever printed. */
export type Credentials = {
  baseUrl: string;
  /** The token to use. With a login it is asked for once, and again when it is over. */
  token(): Promise<string>;
  /** Forgets a token that was refused. False where there is no way to get another one. */
  renew(): boolean;
};

const defaultUrl = "http://127.0.0.1:3000";

/** From `SIGHTLINE_URL`, and `SIGHTLINE_TOKEN` or `SIGHTLINE_LOGIN` with `SIGHTLINE_PASSWORD`. */
export function readCredentials(shell: Pick<Shell, "env" | "fetch">): Credentials {
  const { env } = shell;
  const baseUrl = readUrl(env["SIGHTLINE_URL"] ?? defaultUrl);
  const given = env["SIGHTLINE_TOKEN"];
  const [username, password] = [env["SIGHTLINE_LOGIN"], env["SIGHTLINE_PASSWORD"]];
  if (given !== undefined && given !== "") {
    return { baseUrl, token: async () => given, renew: () => false };
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

function readUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`SIGHTLINE_URL must be an http or https address, not "${given}".`);
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
    const reason = clean(detail ?? `the answer was ${response.status}`);
    throw new CliError(exitCodes.refused, `Logging in failed: ${reason}`, response.status);
  }
  return token;
}
