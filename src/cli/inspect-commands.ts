import type { Command } from "commander";
import { explain } from "./commands/explain.ts";
import { explainWebhook } from "./commands/explain-webhook.ts";
import { reconcile } from "./commands/reconcile.ts";
import { verifyCaptured } from "./commands/verify.ts";
import { collect, jsonOption, toId, toSeconds, type CommandContext } from "./options.ts";

/** Read-only commands: explain, explain-webhook, reconcile, verify. */
export function addInspectCommands(program: Command, tools: CommandContext): void {
  addExplain(program, tools);
  addExplainWebhook(program, tools);
  addReconcile(program, tools);
  addVerify(program, tools);
}

type ExplainFlags = { object?: string; id?: string; time?: string; json?: true };

function addExplain(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("explain")
    .description("show what happened to an event at every webhook of the enterprise, and why")
    .argument("[event]", "event ID, evt_…")
    .option("--object <kind>", "instead of an event ID: the object type, such as ticket")
    .option("--id <id>", "with --object: its ID")
    .option("--time <time>", "with --object: the approximate time")
    .addOption(jsonOption())
    .action((event: string | undefined, { json, ...options }: ExplainFlags) =>
      action(() =>
        explain(shell, connect().client, {
          ...(event === undefined ? {} : { event }),
          ...options,
          isJson: json === true,
        }),
      ),
    );
}

type ExplainWebhookFlags = { since?: string; until?: string; operator?: true; json?: true };

function addExplainWebhook(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("explain-webhook")
    .description("show what a webhook received in a period, and why it did not receive the rest")
    .argument("<webhook>", "webhook ID", toId)
    .option("--since <time>", "events since this time or day (default: the last hour)")
    .option("--until <time>", "events before this time, or until the end of this day")
    .option("--operator", "a webhook of any enterprise, for superadmins; without its content")
    .addOption(jsonOption())
    .action((webhook: number, { json, operator, ...period }: ExplainWebhookFlags) =>
      action(() =>
        explainWebhook(shell, connect().client, {
          ...period,
          webhook,
          isOperator: operator === true,
          isJson: json === true,
        }),
      ),
    );
}

type ReconcileFlags = { since?: string; until?: string; json?: true };

function addReconcile(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("reconcile")
    .description("compare events with deliveries; exit code 1 if there is a gap")
    .option("--since <time>", "events since this time or day (default: the last day)")
    .option("--until <time>", "events before this time, or until the end of this day")
    .addOption(jsonOption())
    .action(({ json, ...options }: ReconcileFlags) =>
      action(() => reconcile(shell, connect().client, { ...options, isJson: json === true })),
    );
}

type VerifyFlags = {
  secret?: string[];
  publicKey?: string[];
  tolerance: number;
  headers?: string;
  body?: string;
  curl?: string;
  json?: true;
};

function addVerify(program: Command, { shell, action }: CommandContext): void {
  program
    .command("verify")
    .description("check the signature of a captured request, without the platform")
    .option("--secret <whsec>", "can be given twice (or set SIGHTLINE_SECRET)", collect)
    .option("--public-key <whpk>", "for v1a signatures; can be given twice", collect)
    .option("--tolerance <seconds>", "maximum age; 0: any age", toSeconds, 300)
    .option("--headers <file>", "file with lines Name: value, or JSON")
    .option("--body <file>", "file with the exact bytes")
    .option("--curl <file>", "instead of both: file with a curl command")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nWithout files, reads {"headers": {…}, "body": "…"} from standard input.',
    )
    .action(({ json, secret, publicKey, tolerance, ...files }: VerifyFlags) =>
      action(() => {
        const own = shell.env["SIGHTLINE_SECRET"];
        const fallback = publicKey === undefined && own !== undefined ? [own] : [];
        return verifyCaptured(shell, {
          ...files,
          secrets: secret ?? fallback,
          publicKeys: publicKey ?? [],
          toleranceSeconds: tolerance,
          isJson: json === true,
        });
      }),
    );
}
