/** Webhooks, their deliveries, events and replays. */
import { keysAad } from "../../../src/contracts/subscriptions.ts";
import { randomIds } from "../../../src/platform/ids.ts";
import { newKeyPair } from "../../../src/subscriptions/signing-keys.ts";
import type { Db } from "../../../src/platform/db/pool.ts";
import { aTenantWebhook, type Tenant, type WebhookMade } from "../../support/tenant.ts";
import { insertRow } from "../../support/tenant-objects.ts";
import { testBox } from "../../support/secret-box.ts";
import type { Classified, Ids } from "../routes/kinds.ts";
import { never, nobody, type Target } from "./target.ts";

type MakeIds = (db: Db, tenant: Tenant, made: WebhookMade, route: Classified) => Promise<Ids> | Ids;

function idsOf({ id, deliveryId }: WebhookMade): Ids {
  return { webhookId: id, deliveryId };
}

/**
 * Webhooks of every relation to the actor. `deletedNeeds` is the reach that is needed for the data
 * of a deleted webhook.
 */
function everyWebhook(use: MakeIds, deletedNeeds?: "all"): Target[] {
  const target = (
    name: string,
    needs: Target["needs"],
    isDeleted = false,
    tenantOf: (fixture: { own: Tenant; foreign: Tenant }) => Tenant = ({ own }) => own,
  ): Target => ({
    ...{ name, needs },
    make: async (fixture, _actor, route) => {
      const tenant = tenantOf(fixture);
      return use(
        fixture.db,
        tenant,
        await aTenantWebhook(fixture.db, tenant, { isDeleted }),
        route,
      );
    },
  });
  return [
    target("its enterprise's", "all"),
    target("a deleted one", deletedNeeds, true),
    target("another enterprise's", undefined, false, ({ foreign }) => foreign),
  ];
}

const unknownWebhook = never({ webhookId: nobody, deliveryId: nobody });

export const webhookTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, made) => idsOf(made)),
  unknownWebhook,
];

/** Includes deleted webhooks, because the explanations of their events are kept. */
export const keptWebhookTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, made) => idsOf(made), "all"),
  unknownWebhook,
];

/** Webhooks of all enterprises, for operators. */
export const platformWebhookTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, made) => idsOf(made), "all").map((target): Target => ({
    ...target,
    opensTo: ["superadmin"],
  })),
  unknownWebhook,
];

/** A webhook that also signs with a key pair. */
export const keyedWebhookTargets: readonly Target[] = [
  ...everyWebhook(async (db, tenant, made) => {
    const keys = JSON.stringify([{ ...newKeyPair(randomIds.bytes), until: null }]);
    const keys_sealed = testBox.seal(keys, keysAad(tenant.id, made.id));
    await db("subscriptions")
      .where({ id: made.id })
      .update({ signatures: ["v1", "v1a"], keys_sealed });
    return idsOf(made);
  }),
  unknownWebhook,
];

function crossed(use: (db: Db, made: WebhookMade) => Promise<WebhookMade>): Target[] {
  return [
    {
      name: "another enterprise's, asked for below its own webhook",
      needs: undefined,
      make: async ({ db, own, foreign }) => ({
        webhookId: (await aTenantWebhook(db, own)).id,
        deliveryId: (await use(db, await aTenantWebhook(db, foreign))).deliveryId,
      }),
    },
    {
      name: "its own, asked for below another of its webhooks",
      needs: undefined,
      make: async ({ db, own }) => ({
        webhookId: (await aTenantWebhook(db, own)).id,
        deliveryId: (await use(db, await aTenantWebhook(db, own))).deliveryId,
      }),
    },
  ];
}

export const deliveryTargets: readonly Target[] = [
  ...webhookTargets,
  ...crossed(async (_db, made) => made),
];

/**
 * Deliveries have ids of their own, by which they are found until they are removed, even if the
 * webhook is deleted.
 */
export const anyDeliveryTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, { deliveryId }) => ({ deliveryId }), "all"),
  never({ deliveryId: nobody }),
];

/** Only ended deliveries can be replayed. */
async function ended(db: Db, made: WebhookMade): Promise<WebhookMade> {
  await db("deliveries")
    .where({ id: made.deliveryId })
    .update({ state: "dead", ended_at: new Date() });
  return made;
}

export const endedDeliveryTargets: readonly Target[] = [
  ...everyWebhook(async (db, _tenant, made) => idsOf(await ended(db, made))),
  unknownWebhook,
  ...crossed(ended),
];

/** Deliveries that wait for a retry. A deleted webhook has none. */
export const failingDeliveryTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, { deliveryId }) => ({ deliveryId })),
  never({ deliveryId: nobody }),
];

/**
 * For operations on a list of deliveries, which report unreachable ones in the response instead of
 * as an error.
 */
export const ownFailingDeliveryTargets: readonly Target[] = failingDeliveryTargets.slice(0, 1);

/** The same for ended deliveries. */
export const ownEndedDeliveryTargets: readonly Target[] = endedDeliveryTargets.slice(0, 1);

/** A webhook with an open circuit. */
export const openCircuitTargets: readonly Target[] = [
  ...everyWebhook(async (db, _tenant, made) => {
    await db("subscription_health")
      .where({ subscription_id: made.id })
      .update({ failures_in_row: 20, probe_at: new Date(Date.now() + 60_000) });
    return { webhookId: made.id };
  }),
  unknownWebhook,
];

async function aReplay(
  db: Db,
  { id: enterprise_id }: Tenant,
  subscriptionId: number,
  state: string,
): Promise<number> {
  return insertRow(db, "replays", {
    ...{ enterprise_id, subscription_id: subscriptionId, state, max_per_second: 10 },
    criteria: JSON.stringify({
      ...{ since: null, until: null, statuses: ["dead"], object: null, eventType: null },
      ...{ result: null, deliveryId: null, filters: ["ticket.*"], conditions: null },
    }),
    ...{ total: 5, made: 0, phase: "deliveries", last_sequence: 1, last_event_row_id: 1 },
    ...{ created_at: new Date(), started_at: new Date() },
    ended_at: state === "done" ? new Date() : null,
  });
}

/**
 * A replay in the state that the operation requires. It can be read even if its webhook is deleted.
 */
export const replayTargets: readonly Target[] = [
  ...everyWebhook(
    async (db, tenant, { id }, { replay = "running" }) => ({
      replayId: await aReplay(db, tenant, id, replay),
    }),
    "all",
  ),
  never({ replayId: nobody }),
];

/** A replay of the tenant's webhook in this state. */
export async function aTenantReplay(db: Db, tenant: Tenant, state: string): Promise<number> {
  return aReplay(db, tenant, (await aTenantWebhook(db, tenant)).id, state);
}

export const eventTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, { eventId }) => ({ eventId }), "all"),
  never({ eventId: "evt_00000000-0000-4000-8000-000000000000" }),
];
