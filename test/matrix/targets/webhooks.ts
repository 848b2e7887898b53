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

/** Whose webhooks there are. `deletedNeeds`: who gets to what a deleted one leaves behind. */
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

/** Deleted ones as well: the explanation of their events is kept. */
export const keptWebhookTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, made) => idsOf(made), "all"),
  unknownWebhook,
];

/** Of any enterprise, for operators. */
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

/** By its own id, which is known for as long as it is kept, whatever became of the webhook. */
export const anyDeliveryTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, { deliveryId }) => ({ deliveryId }), "all"),
  never({ deliveryId: nobody }),
];

/** What is over can be repeated. */
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

/** What waits for its next attempt: of a deleted webhook there is none. */
export const failingDeliveryTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, { deliveryId }) => ({ deliveryId })),
  never({ deliveryId: nobody }),
];

/** Of an operation that takes a list, and says of each what it did: others are in its answer. */
export const ownFailingDeliveryTargets: readonly Target[] = failingDeliveryTargets.slice(0, 1);

/** The same of what is over. */
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

/** A replay of the state that the operation wants. What it did is known beyond its webhook. */
export const replayTargets: readonly Target[] = [
  ...everyWebhook(
    async (db, tenant, { id }, { replay = "running" }) => ({
      replayId: await aReplay(db, tenant, id, replay),
    }),
    "all",
  ),
  never({ replayId: nobody }),
];

/** A replay of the tenant in that state. */
export async function aTenantReplay(db: Db, tenant: Tenant, state: string): Promise<number> {
  return aReplay(db, tenant, (await aTenantWebhook(db, tenant)).id, state);
}

export const eventTargets: readonly Target[] = [
  ...everyWebhook((_db, _tenant, { eventId }) => ({ eventId }), "all"),
  never({ eventId: "evt_00000000-0000-4000-8000-000000000000" }),
];
