/** Where an attempt was sent to. Attempts keep no address: what changed since tells it. Pure. */
import type { components } from "../../../base/api-types.ts";
import type { Attempt, DeliveryInFull } from "../model.ts";

type Change = components["schemas"]["AuditEntry"];

/**
 * `same`: as it is now; `then`: it was another one; `now`, `last`: the one of now, or the last one of
 * a webhook that was deleted, as nobody knows whether it was another one. Undefined while it is asked.
 */
export type Address = Readonly<{
  origin: string | undefined;
  standing: "asked" | "same" | "then" | "now" | "last";
}>;

/** The first changes of webhooks since an attempt. `isAll`: there are no others until now. */
export type Changes = Readonly<{ entries: readonly Change[]; isAll: boolean }>;

/** Of an address as the audit log shows it, which keeps its path to itself. */
const originOf = (shown: unknown): string | undefined =>
  typeof shown === "string" && URL.canParse(shown) ? new URL(shown).origin : undefined;

/** The first change of this webhook's address after a moment. */
const moveAfter = (webhookId: number, started: string, entries: readonly Change[]) =>
  entries
    .filter(({ objectId, changes }) => objectId === String(webhookId) && "url" in changes)
    .filter(({ created }) => new Date(created) > new Date(started))
    .toSorted((a, b) => a.id - b.id)
    .at(0)?.changes["url"];

/** `changes`: undefined where nobody tells them. */
export const addressAt = (
  { webhook }: DeliveryInFull,
  { started }: Attempt,
  changes: Changes | undefined,
): Address => {
  const origin = webhook.origin ?? undefined;
  const move = moveAfter(webhook.id, started, changes?.entries ?? []);
  if (move === undefined && changes?.isAll === true) {
    return { origin, standing: "same" };
  }
  const before = originOf(move?.from);
  return before === undefined
    ? { origin, standing: webhook.deleted ? "last" : "now" }
    : { origin: before, standing: "then" };
};

/** Whether its webhook, as it is listed now, was changed since. The list may be older than the delivery. */
export const isChangedSince = (
  { webhook }: DeliveryInFull,
  { started }: Attempt,
  today: Readonly<{ url: string | null; modified: string }> | undefined,
): boolean =>
  today === undefined ||
  new Date(today.modified) > new Date(started) ||
  originOf(today.url) !== (webhook.origin ?? undefined);
