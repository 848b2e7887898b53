import { webhookNotFound, problem } from "../contracts/problems.ts";
/**
 * The changes of subscriptions, inside a transaction. Each takes the next revision first and
 * records what the subscription asks for from then on; locks are taken in the order that
 * `takeRevision` gives. Guarantee: revisions are contiguous and in the order of the commits.
 */
import type { ChangeAuthor } from "../http/actor.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import { lockHealth } from "../pipeline/ledger/health-store.ts";
import { releaseStuckSuccessors } from "../pipeline/ledger/release-successors.ts";
import {
  cancelDeliveries,
  pauseDeliveries,
  resumeDeliveries,
} from "../pipeline/ledger/backlog-states.ts";
import { recordRevision, takeRevision } from "../pipeline/ledger/revisions.ts";
import { openSubscription, sealChange, type SubscriptionChange } from "./stored-subscription.ts";
import { maxSubscriptions, activationChangeOf, type Subscription } from "./model.ts";
import {
  countSubscriptions,
  deleteSubscription,
  insertSubscription,
  lockSubscription,
  nextSubscriptionId,
  resetHealth,
  updateSubscription,
} from "./store.ts";

/**
 * How many deliveries a request moves itself; the schedule moves the rest of a large backlog. Few:
 * meanwhile results of the subscription wait for its health lock, and with them those of others.
 */
const backlogBatch = 1_000;

/** Adds a subscription and answers its id. Throws the problem of an enterprise that has enough. */
export async function addSubscription(
  trx: Trx,
  box: SecretBox,
  author: ChangeAuthor,
  added: SubscriptionChange,
): Promise<number> {
  const { enterpriseId, userId } = author;
  const revision = await takeRevision(trx);
  if ((await countSubscriptions(trx, enterpriseId)) >= maxSubscriptions) {
    const detail = `An enterprise has at most ${maxSubscriptions} webhooks.`;
    throw problem("quota_reached", detail);
  }
  const id = await nextSubscriptionId(trx);
  await insertSubscription(trx, {
    ...sealChange(box, { id, enterpriseId }, added, null),
    id,
    enterpriseId,
  });
  await recordRevision(trx, id, revision, { reason: "created", changedBy: userId });
  return id;
}

/** How many waiting deliveries a request looks at, the longest waiting first. The same holds. */
const waitingBatch = 5_000;

const reasonOf: Record<ReturnType<typeof activationChangeOf>, string> = {
  on: "switched on",
  off: "switched off",
  moved: "changed",
  none: "changed",
};

const applyActivation: Record<
  ReturnType<typeof activationChangeOf>,
  (trx: Trx, id: number) => Promise<void>
> = {
  on: async (trx, id) => {
    await resetHealth(trx, id);
    await resumeDeliveries(trx, id, backlogBatch);
  },
  off: async (trx, id) => {
    await pauseDeliveries(trx, id, backlogBatch);
  },
  moved: resetHealth,
  none: async () => undefined,
};

/**
 * Changes a subscription to what `change` makes of it as it is. Every change, of a secret too,
 * gets a revision of its own: by that the workers see that what they remember is old. Switched off, its live
 * deliveries are paused; switched on, they go on and what its receiver taught us is forgotten, as
 * it is when an active one moves to another URL. No longer ordered, what waits for the next try of
 * a broken delivery goes on at once.
 */
export async function changeSubscription(
  trx: Trx,
  box: SecretBox,
  { author, id, reason }: { author: ChangeAuthor; id: number; reason?: string },
  change: (before: Subscription) => SubscriptionChange,
): Promise<void> {
  const revision = await takeRevision(trx);
  const stored = await lockSubscription(trx, author.enterpriseId, id);
  if (stored === undefined) {
    throw webhookNotFound(id);
  }
  const before = openSubscription(box, stored);
  const after = change(before);
  const switched = activationChangeOf(before, after.settings);
  // Nothing can be handed out between here and the commit: each waits for this lock and then sees
  // the subscription as it is now.
  await lockHealth(trx, [id]);
  const disabledReason = switched === "on" ? null : before.disabledReason;
  await updateSubscription(trx, id, sealChange(box, before, after, disabledReason));
  await applyActivation[switched](trx, id);
  if (before.isOrdered && !after.settings.isOrdered) {
    await releaseStuckSuccessors(trx, id, { after: 0, limit: waitingBatch });
  }
  await recordRevision(trx, id, revision, {
    reason: reason ?? reasonOf[switched],
    changedBy: author.userId,
  });
}

/** Deletes a subscription softly and cancels what it would still have got. */
export async function removeSubscription(
  trx: Trx,
  author: ChangeAuthor,
  id: number,
): Promise<void> {
  const revision = await takeRevision(trx);
  if ((await lockSubscription(trx, author.enterpriseId, id)) === undefined) {
    throw webhookNotFound(id);
  }
  await lockHealth(trx, [id]);
  await deleteSubscription(trx, id);
  await cancelDeliveries(trx, id, backlogBatch);
  await recordRevision(trx, id, revision, { reason: "deleted", changedBy: author.userId });
}
