import type { ObjectKind } from "./events.ts";

/** "Delivery N may be due". Contains only ids: the ledger decides whether the delivery is due. */
export type DeliverJob = { deliveryId: number; generation: number };

/**
 * The task queues. Each has its own worker process, so that slow work in one queue does not delay
 * another.
 */
export const taskQueueNames = ["timers", "messages", "media"] as const;

export type TaskQueueName = (typeof taskQueueNames)[number];

/** Every kind of task and its queue. The handlers describe what each kind does. */
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
 * One queue per object kind, so that a flood of one kind does not delay another. BullMQ does not
 * allow `:` in queue names.
 */
export function deliverQueueName(object: ObjectKind): string {
  return `deliver.${object}`;
}

/**
 * A new id per generation: BullMQ silently ignores a job whose id it still holds in any state, so a
 * reused id would drop the job of a requeue.
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
