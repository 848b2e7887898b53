import type { ObjectKind } from "./events.ts";

/** "Delivery N may be due". Ids only: the ledger knows the rest, and decides. */
export type DeliverJob = { deliveryId: number; generation: number };

/**
 * The queues of tasks. Each has its own worker process, so that slow work of one queue delays no
 * other.
 */
export const taskQueueNames = ["timers", "messages", "media"] as const;

export type TaskQueueName = (typeof taskQueueNames)[number];

/** Every kind of task and its queue. What each does is said where its handler is. */
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
} as const satisfies Record<string, TaskQueueName>;

export type TaskKind = keyof typeof taskKinds;

/** "Task N may be due". */
export type TaskJob = { taskId: number; generation: number };

/**
 * The queues, one per object kind, so that a flood of one kind does not delay another. BullMQ refuses `:` in queue names. */
export function deliverQueueName(object: ObjectKind): string {
  return `deliver.${object}`;
}

/**
 * A fresh id per generation: BullMQ silently ignores an add whose id it still holds in any state,
 * so an id that could come twice would drop the second job after a requeue.
 */
export function deliverJobId(job: DeliverJob): string {
  return `d-${job.deliveryId}.${job.generation}`;
}

export function taskJobQueueName(queue: TaskQueueName): string {
  return `task.${queue}`;
}

export function taskJobId(job: TaskJob): string {
  return `t-${job.taskId}.${job.generation}`;
}
