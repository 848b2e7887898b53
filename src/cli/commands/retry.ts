import type { ApiClient } from "../client.ts";
import {
  exitCodes,
  usageError,
  type ExitCode,
  printJson,
  printLine,
  printStatus,
  type Shell,
} from "../shell.ts";
import type { Command } from "commander";
import { jsonOption, toId, toIds, type CommandContext } from "../options.ts";

type RetriedDelivery = {
  id: number;
  webhook: number;
  throttled_until: string | null;
  probed: boolean;
};

type RecoveryPreview = {
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

/** Commands for use after a receiver was repaired. */
export function addRetryCommands(program: Command, tools: CommandContext): void {
  const { shell, connect, action } = tools;
  program
    .command("retry")
    .description("start the next attempt of deliveries now")
    .argument("<delivery...>", "IDs of the deliveries", toIds)
    .addOption(jsonOption())
    .action((deliveries: number[], { json }: { json?: true }) =>
      action(() => retryDeliveries(shell, connect().client, { deliveries, isJson: json === true })),
    );
  program
    .command("probe")
    .description("send a probe to a receiver whose circuit is open")
    .argument("<webhook>", "ID of the webhook", toId)
    .addOption(jsonOption())
    .action((webhook: number, { json }: { json?: true }) =>
      action(() => probeWebhook(shell, connect().client, { webhook, isJson: json === true })),
    );
  addRecover(program, tools);
}

type RejectedRetry = { id: number; detail: string };

type RetryAnswer = { retried: RetriedDelivery[]; refused: RejectedRetry[] };

/** Retries deliveries immediately. Exit code 1 if one was rejected. */
async function retryDeliveries(
  shell: Shell,
  client: ApiClient,
  { deliveries, isJson }: { deliveries: readonly number[]; isJson: boolean },
): Promise<ExitCode> {
  const body = { deliveries: [...new Set(deliveries)] };
  const answer = await client.call<RetryAnswer>("POST", "/webhooks/deliveries/retry", {
    body,
    fields: ["retried", "refused"],
  });
  const { retried, refused } = answer;
  if (isJson) {
    printJson(shell, answer);
  } else {
    retried.forEach((one) => printLine(shell, describe(one)));
    refused.forEach(({ detail }) => printLine(shell, detail));
  }
  return refused.length === 0 ? exitCodes.ok : exitCodes.negative;
}

function describe({ id, webhook, throttled_until: until, probed }: RetriedDelivery): string {
  if (until !== null) {
    return `Delivery ${id} will be sent at ${until}: its receiver is throttled until then.`;
  }
  return probed
    ? `Delivery ${id} is due. Webhook ${webhook} is being probed: if the probe succeeds, the waiting deliveries follow.`
    : `Delivery ${id} is being retried.`;
}

/** Sends the next probe of a webhook now. */
async function probeWebhook(
  shell: Shell,
  client: ApiClient,
  { webhook, isJson }: { webhook: number; isJson: boolean },
): Promise<ExitCode> {
  const answer = await client.call("POST", `/webhooks/${webhook}/probe`, { fields: ["webhook"] });
  if (isJson) {
    printJson(shell, answer);
  } else {
    printLine(shell, `Webhook ${webhook} is being probed.`);
  }
  return exitCodes.ok;
}

type RecoverFlags = { since: string; rate?: number; dryRun?: true; yes?: true; json?: true };

function addRecover(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("recover")
    .description(
      "after an outage: deliver everything that a webhook has not received since a given time",
    )
    .argument("<webhook>", "ID of the webhook", toId)
    .requiredOption("--since <time>", "events since this time or day")
    .option("--rate <number>", "maximum of new deliveries per second", toId)
    .option("--dry-run", "only count, start nothing")
    .option("--yes", "skip the confirmation")
    .addOption(jsonOption())
    .action((webhook: number, { since, rate, dryRun, yes, json }: RecoverFlags) =>
      action(() =>
        recoverWebhook(shell, connect().client, {
          ...{ webhook, since },
          ...(rate === undefined ? {} : { rate }),
          isDryRun: dryRun === true,
          isSure: yes === true,
          isJson: json === true,
        }),
      ),
    );
}

/** Prints the scope of a recovery, asks for confirmation, and starts it. */
async function recoverWebhook(
  shell: Shell,
  client: ApiClient,
  { webhook, since, rate, isDryRun, isSure, isJson }: RecoverOptions,
): Promise<ExitCode> {
  const path = `/webhooks/${webhook}/recover`;
  const previewed = await client.call<RecoveryPreview>("POST", `${path}/preview`, {
    body: { since },
    fields: ["count", "exact", "retries"],
  });
  if (isDryRun && isJson) {
    printJson(shell, previewed);
    return exitCodes.ok;
  }
  printStatus(shell, `Since ${since}: ${describePreview(previewed)}`);
  if (isDryRun) {
    return exitCodes.ok;
  }
  if (!isSure && !(await confirm(shell))) {
    printStatus(shell, "Nothing was started.");
    return exitCodes.ok;
  }
  const body = rate === undefined ? { since } : { since, rate };
  const started = await client.call("POST", path, { body, fields: ["id"] });
  if (isJson) {
    printJson(shell, started);
  } else {
    const id = String(started["id"]);
    printLine(
      shell,
      `Recovery ${id} has started. To watch it: sightline replay show ${id} --wait.`,
    );
  }
  return exitCodes.ok;
}

function describePreview({ count, exact, retries }: RecoveryPreview): string {
  return (
    `undelivered events to replay: ${exact ? "" : "at least "}${count}, ` +
    `deliveries to retry now: ${retries.more ? "more than " : ""}${retries.count}.`
  );
}

async function confirm(shell: Shell): Promise<boolean> {
  if (shell.ask === undefined) {
    throw usageError(
      "Cannot ask for confirmation without a terminal: add --yes to recover, or --dry-run to count only.",
    );
  }
  return /^y(?:es)?$/iu.test((await shell.ask("Recover these events? [y/N] ")).trim());
}
