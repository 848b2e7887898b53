import type { Client } from "../client.ts";
import { exitCodes, usageError, type ExitCode } from "../exit.ts";
import { clean, paint, printJson, printLine, type Shell } from "../shell.ts";

export type SendTestOptions = {
  webhook: number;
  filter?: string;
  event?: string;
  isJson: boolean;
};

type Tested = {
  webhook_id: string;
  sent: { url: string };
  result: {
    code: number | null;
    ms: number;
    error: string | null;
    error_detail: string | null;
    phases: Record<string, number>;
    body: string | null;
  };
};

/** Has the platform send a sample, or an event of the past, now. */
export async function sendTest(
  shell: Shell,
  client: Client,
  { webhook, filter, event, isJson }: SendTestOptions,
): Promise<ExitCode> {
  if (filter !== undefined && event !== undefined) {
    throw usageError("--filter chooses a sample, --event a real one: give one of them.");
  }
  const body = {
    ...(filter === undefined ? {} : { filter }),
    ...(event === undefined ? {} : { event }),
  };
  const tested = (await client.call("POST", `/webhooks/${webhook}/test`, { body })) as Tested;
  const { code } = tested.result;
  const isGood = code !== null && code >= 200 && code < 300;
  if (isJson) {
    printJson(shell, tested);
  } else {
    print(shell, tested, isGood);
  }
  return isGood ? exitCodes.ok : exitCodes.negative;
}

function print(shell: Shell, { webhook_id: id, sent, result }: Tested, isGood: boolean): void {
  const { code, ms, error, error_detail: detail, phases, body } = result;
  const said = code === null ? clean(`${error ?? "failed"}: ${detail ?? ""}`) : String(code);
  printLine(shell, `${id} → ${clean(sent.url)}`);
  printLine(shell, `${paint(shell, isGood ? "green" : "red", said)} in ${ms} ms`);
  const times = Object.entries(phases).map(([name, value]) => `${name} ${Math.round(value)} ms`);
  if (times.length > 0) {
    printLine(shell, paint(shell, "dim", times.join(", ")));
  }
  if (body !== null && body !== "") {
    printLine(shell, clean(body));
  }
}
