/** The URL of an attempt. Pure. */
import type { Attempt, DeliveryInFull } from "../model.ts";

/**
 * `same`: the URL of the attempt is the current one; `then`: a different, earlier URL; `now`: the
 * current URL, where it is unknown whether it has changed; `last`: the last URL of a deleted webhook.
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
