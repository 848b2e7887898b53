import type { ObjectKind } from "./events.ts";

/** A hint: "delivery N may be due". Ids only: the ledger knows the rest, and decides. */
export type DeliverHint = { deliveryId: number; generation: number };

/**
 * Lanes of tasks: each has its queue and its worker process, so that slow work of one lane delays
 * no other.
 */
export const taskLanes = ["timers", "messages", "media"] as const;

export type TaskLane = (typeof taskLanes)[number];

/** Every kind of task and the lane it runs in. What each does is said where its handler is. */
export const taskKinds = {
  "ticket.age": "timers",
  "ticket.reminder": "timers",
  "invitation.notClicked": "timers",
  "conference.reminder": "timers",
  "conference.end": "timers",
  "session.empty": "timers",
  "session.limit": "timers",
  "recording.silent": "timers",
  "recording.giveUp": "timers",
  "replay.step": "timers",
  "message.send": "messages",
  "media.ocr": "media",
  "media.remux": "media",
} as const satisfies Record<string, TaskLane>;

export type TaskKind = keyof typeof taskKinds;

/** A hint that a task may be due. */
export type TaskHint = { taskId: number; generation: number };

/**
 * The queues, one per object kind, so that a flood of one kind does not delay another. BullMQ refuses `:` in queue names. */
export function deliverQueueName(object: ObjectKind): string {
  return `deliver.${object}`;
}

/**
 * A fresh id per generation: BullMQ silently ignores an add whose id it still holds in any state,
 * so an id that could come twice would swallow the sweeper's second hint.
 */
export function hintJobId(hint: DeliverHint): string {
  return `d-${hint.deliveryId}.${hint.generation}`;
}

export function taskQueueName(lane: TaskLane): string {
  return `task.${lane}`;
}

export function taskJobId(hint: TaskHint): string {
  return `t-${hint.taskId}.${hint.generation}`;
}
