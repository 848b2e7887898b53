import type { Client } from "../client.ts";
import { exitCodes, usageError, type ExitCode } from "../exit.ts";
import { printJson, printLine, tell, type Shell } from "../shell.ts";

type Retried = { id: number; webhook: number; throttled_until: string | null; probed: boolean };

type Preview = {
  count: number;
  exact: boolean;
  retries: { count: number; more: boolean };
};

export type RecoverOptions = {
  webhook: number;
  since: string;
  rate?: number;
  isDryRun: boolean;
  isSure: boolean;
  isJson: boolean;
};

type Refused = { id: number; detail: string };

/** Retries deliveries at once. Exit code 1 where one of them was refused. */
export async function retryDeliveries(
  shell: Shell,
  client: Client,
  { deliveries, isJson }: { deliveries: readonly number[]; isJson: boolean },
): Promise<ExitCode> {
  const body = { deliveries: [...new Set(deliveries)] };
  const answer = await client.call("POST", "/webhooks/deliveries/retry", { body });
  const { retried, refused } = answer as { retried: Retried[]; refused: Refused[] };
  if (isJson) {
    printJson(shell, answer);
  } else {
    retried.forEach((one) => printLine(shell, describe(one)));
    refused.forEach(({ detail }) => printLine(shell, detail));
  }
  return refused.length === 0 ? exitCodes.ok : exitCodes.negative;
}

function describe({ id, webhook, throttled_until: until, probed }: Retried): string {
  if (until !== null) {
    return `Delivery ${id} goes out at ${until}: its receiver asked to be left alone until then.`;
  }
  return probed
    ? `Delivery ${id} is due. Webhook ${webhook} is probed now, and what waits follows when it answers.`
    : `Delivery ${id} is retried now.`;
}

/** Lets the next probe of a webhook go now. */
export async function probeWebhook(
  shell: Shell,
  client: Client,
  { webhook, isJson }: { webhook: number; isJson: boolean },
): Promise<ExitCode> {
  const answer = await client.call("POST", `/webhooks/${webhook}/probe`);
  if (isJson) {
    printJson(shell, answer);
  } else {
    printLine(shell, `Webhook ${webhook} is probed now.`);
  }
  return exitCodes.ok;
}

/** Says in numbers what a recovery does, asks, and starts it. */
export async function recoverWebhook(
  shell: Shell,
  client: Client,
  { webhook, since, rate, isDryRun, isSure, isJson }: RecoverOptions,
): Promise<ExitCode> {
  const path = `/webhooks/${webhook}/recover`;
  const previewed = await client.call("POST", `${path}/preview`, { body: { since } });
  if (isDryRun && isJson) {
    printJson(shell, previewed);
    return exitCodes.ok;
  }
  tell(shell, `Since ${since}: ${describePreview(previewed as Preview)}`);
  if (isDryRun) {
    return exitCodes.ok;
  }
  if (!isSure && !(await confirm(shell))) {
    tell(shell, "Nothing was done.");
    return exitCodes.ok;
  }
  const body = rate === undefined ? { since } : { since, rate };
  const started = await client.call("POST", path, { body });
  if (isJson) {
    printJson(shell, started);
  } else {
    const id = String(started["id"]);
    printLine(shell, `Recovery ${id} is under way. Look: sightline replay show ${id} --wait.`);
  }
  return exitCodes.ok;
}

function describePreview({ count, exact, retries }: Preview): string {
  return (
    `${exact ? "" : "at least "}${count} events are delivered that never arrived, and ` +
    `${retries.more ? "more than " : ""}${retries.count} retries made at once.`
  );
}

async function confirm(shell: Shell): Promise<boolean> {
  if (shell.ask === undefined) {
    throw usageError("Nobody can be asked here: add --yes to recover, or --dry-run to count only.");
  }
  return /^y(?:es)?$/iu.test((await shell.ask("Recover them? [y/N] ")).trim());
}
