import { problem } from "../../contracts/problems.ts";
import type { Db } from "../../platform/db/pool.ts";
import { requireSubscription } from "../require.ts";
import {
  findDelivery,
  listAttempts,
  listDeliveries,
  type Attempt,
  type Delivery,
  type DeliveryFilter,
} from "./store.ts";

/** Whose log is read. */
type Reader = Readonly<{ enterpriseId: number }>;

/** What happened to a subscription's events. Bound to the reader's enterprise: else 404. */
export type DeliveryLog = {
  list(
    reader: Reader,
    subscriptionId: number,
    filter: DeliveryFilter,
  ): Promise<{ total: number; deliveries: Delivery[] }>;
  get(
    reader: Reader,
    subscriptionId: number,
    deliveryId: number,
  ): Promise<{ delivery: Delivery; attempts: Attempt[] }>;
};

export const createDeliveryLog = ({ db }: { db: Db }): DeliveryLog => ({
  list: async ({ enterpriseId }, subscriptionId, filter) => {
    await requireSubscription(db, enterpriseId, subscriptionId);
    return listDeliveries(db, subscriptionId, filter);
  },
  get: async ({ enterpriseId }, subscriptionId, deliveryId) => {
    await requireSubscription(db, enterpriseId, subscriptionId);
    const delivery = await findDelivery(db, subscriptionId, deliveryId);
    if (delivery === undefined) {
      throw problem("not_found", `Delivery ${deliveryId} was not found.`);
    }
    return { delivery, attempts: await listAttempts(db, delivery) };
  },
});
