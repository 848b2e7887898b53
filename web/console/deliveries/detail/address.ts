/** Where an attempt was sent to. Pure. */
import type { Attempt, DeliveryInFull } from "../model.ts";

/**
 * `same`: as it is now; `then`: it was another one; `now`, `last`: the one of now, or the last one of
 * a webhook that was deleted, as nobody kept whether it was another one.
 */
export type Address = Readonly<{
  origin: string | undefined;
  standing: "same" | "then" | "now" | "last";
}>;

export function addressOf(
  { webhook }: Pick<DeliveryInFull, "webhook">,
  { origin, address_changed: isChanged }: Pick<Attempt, "origin" | "address_changed">,
): Address {
  if (isChanged !== null) {
    return { origin: origin ?? undefined, standing: isChanged ? "then" : "same" };
  }
  return { origin: webhook.origin ?? undefined, standing: webhook.deleted ? "last" : "now" };
}
