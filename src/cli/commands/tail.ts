import type { Client } from "../client.ts";
import type { Credentials } from "../credentials.ts";
import { usageError } from "../exit.ts";
import { follow, type StreamedEvent } from "../follow.ts";
import { withOwnWebhook } from "../own-webhook.ts";
import { clean, paint, printLine, tell, toJson, type Shell } from "../shell.ts";
import { clockOf, nameOf } from "./listen.ts";

export type TailOptions = {
  filters: readonly string[];
  webhook?: number;
  after?: string;
  hasBody: boolean;
  isJson: boolean;
};

/** Shows what happens, until Ctrl-C. */
export async function tailEvents(
  shell: Shell,
  { client, credentials }: { client: Client; credentials: Credentials },
  options: TailOptions,
): Promise<void> {
  const { webhook, filters, after } = options;
  const show = (from: Client, webhookId: number): Promise<void> =>
    follow(shell, from, {
      webhookId,
      after,
      onReady: () => tell(shell, `Listening to webhook ${webhookId}. Ctrl-C ends it.`),
      onEvent: (event) => print(shell, options, event),
    });
  if (webhook !== undefined) {
    if (filters.length > 0) {
      throw usageError(
        "--filters are those of a webhook of its own: leave them out, or --webhook.",
      );
    }
    await show(client, webhook);
    return;
  }
  if (after !== undefined) {
    throw usageError("--after is a place in the events of one webhook: give --webhook too.");
  }
  const wanted = { filters: filters.length === 0 ? ["*"] : filters };
  await withOwnWebhook({ shell, credentials }, wanted, (own, { id }) => show(own, id));
}

function print(shell: Shell, { isJson, hasBody }: TailOptions, event: StreamedEvent): void {
  if (isJson) {
    printLine(shell, toJson(event));
    return;
  }
  const id = paint(shell, "dim", event.webhook_id ?? "");
  const object = clean(String(event.object_id ?? ""));
  printLine(
    shell,
    `${clockOf(event.time)}  #${event.sequence}  ${nameOf(event)}  ${object}  ${event.state}  ${id}`,
  );
  if (hasBody) {
    printLine(shell, `  ${clean(event.body ?? "(content not kept)")}`);
  }
}
