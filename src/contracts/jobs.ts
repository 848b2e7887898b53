import type { ObjectKind } from "./events.ts";

/** A hint: "delivery N may be due". Ids only: the ledger knows the rest, and decides. */
export type DeliverHint = { deliveryId: number; generation: number };

/**
 * The queues, one per object kind, so that a flood of one kind does not delay another. BullMQ refuses `:` in queue names. */
export const deliverQueueName = (object: ObjectKind): string => `deliver.${object}`;

/**
 * A fresh id per generation: BullMQ silently ignores an add whose id it still holds in any state,
 * so an id that could come twice would swallow the sweeper's second hint.
 */
export const hintJobId = (hint: DeliverHint): string => `d-${hint.deliveryId}.${hint.generation}`;
