import type { Command } from "commander";
import { probeWebhook, recoverWebhook, retryDeliveries } from "./commands/retry.ts";
import { jsonOption, toId, toIds } from "./options.ts";
import type { Tools } from "./tools.ts";

/** Commands for somebody who has repaired a receiver. */
export function addRetryCommands(program: Command, tools: Tools): void {
  const { shell, connect, action } = tools;
  program
    .command("retry")
    .description("make the next attempt of failing deliveries now")
    .argument("<delivery...>", "ids of deliveries", toIds)
    .addOption(jsonOption())
    .action((deliveries: number[], { json }: { json?: true }) =>
      action(() => retryDeliveries(shell, connect().client, { deliveries, isJson: json === true })),
    );
  program
    .command("probe")
    .description("try a receiver now whose circuit is open")
    .argument("<webhook>", "id of the webhook", toId)
    .addOption(jsonOption())
    .action((webhook: number, { json }: { json?: true }) =>
      action(() => probeWebhook(shell, connect().client, { webhook, isJson: json === true })),
    );
  addRecover(program, tools);
}

type RecoverWords = { since: string; rate?: number; dryRun?: true; yes?: true; json?: true };

function addRecover(program: Command, { shell, connect, action }: Tools): void {
  program
    .command("recover")
    .description(
      "after an outage: deliver everything of a webhook that did not arrive since a time",
    )
    .argument("<webhook>", "id of the webhook", toId)
    .requiredOption("--since <time>", "events from this time or day on")
    .option("--rate <number>", "new deliveries a second at most", toId)
    .option("--dry-run", "count only")
    .option("--yes", "do not ask")
    .addOption(jsonOption())
    .action((webhook: number, { since, rate, dryRun, yes, json }: RecoverWords) =>
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
