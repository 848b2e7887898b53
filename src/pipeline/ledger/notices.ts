import type { Trx } from "../../platform/db/pool.ts";

/** Why the platform switched a subscription off. Shown as `disabled_reason`. */
export type SwitchOffReason = "gone" | "failing";

type OfSubscription = Readonly<{ enterpriseId: number; subscriptionId: number }>;

/** Something about deliveries that people have to be told. */
export type Notice =
  /** It has only failed for a day. */
  | (OfSubscription & Readonly<{ kind: "subscription.warned"; failingSince: Date }>)
  | (OfSubscription &
      Readonly<{
        kind: "subscription.disabled";
        reason: SwitchOffReason;
        failingSince: Date | null;
      }>)
  /** A success, after a warning. */
  | (OfSubscription & Readonly<{ kind: "subscription.recovered"; failingSince: Date }>)
  /** The last attempt of its schedule failed. */
  | (OfSubscription &
      Readonly<{
        kind: "delivery.dead";
        deliveryId: number;
        sequence: number;
        /** `webhook-id` of the event. */
        messageId: string;
        object: string;
        objectId: string;
        attempts: number;
        /** How the last attempt ended: `5xx`, `timeout_response`. */
        lastResult: string;
      }>);

/** Writes down what has to be told, in the transaction that made it true: all of it or nothing. */
export type WriteNotices = (trx: Trx, notices: readonly Notice[]) => Promise<void>;
