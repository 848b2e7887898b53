import type { ObjectKind } from "./events.ts";

/** "Delivery N may be due": the ledger decides whether it is, except for fresh jobs. */
export type DeliverJob = {
  deliveryId: number;
  generation: number;
  /** Missing in fresh jobs, which contain it, and in those of earlier versions. */
  subscriptionId?: number;
  fresh?: FreshDelivery;
  /** Other fresh deliveries of the same batch: one job costs less than many. */
  more?: readonly DeliverJob[];
};

/** The first attempt of a new delivery, which may be sent without asking the ledger. */
export type FreshDelivery = {
  subscriptionId: number;
  /** The current revision of the subscription. */
  revision: number;
  sequence: number;
  object: ObjectKind;
  eventId: string;
  /** The bytes to send; larger ones are read from the ledger. */
  body: string;
  /** Milliseconds since the epoch, by the clock of the database or of the relay. */
  occurredAt: number;
  queuedAt: number;
};

/** A new delivery that was queued as it was inserted. `content` is undefined for a large body. */
export type NewDelivery = Pick<FreshDelivery, "subscriptionId" | "revision" | "sequence"> & {
  event: {
    object: ObjectKind;
    occurredAt: Date;
    content?: Pick<FreshDelivery, "eventId" | "body"> | undefined;
  };
};

/** Of deliveries that are queued as they are inserted. */
export const firstGeneration = 1;

/** The job of a new delivery: fresh if it has a content, and `queuedAt` is not null. */
export function toNewJob(
  deliveryId: number,
  { event, subscriptionId, revision, sequence }: NewDelivery,
  queuedAt: Date | null,
): DeliverJob & { object: ObjectKind } {
  const { object, content } = event;
  const generation = firstGeneration;
  if (content === undefined || queuedAt === null) {
    return { deliveryId, generation, object, subscriptionId };
  }
  const { eventId, body } = content;
  const fresh = {
    subscriptionId,
    revision,
    sequence,
    object,
    eventId,
    body,
    occurredAt: event.occurredAt.getTime(),
    queuedAt: queuedAt.getTime(),
  };
  return { deliveryId, generation, object, fresh };
}

/** Bodies above this many bytes are not part of a job. */
export const maxFreshBodyBytes = 4_096;

/**
 * At most this many fresh deliveries per job. A process that dies delays no more than these, and
 * other processes get their part of a burst.
 */
const maxDeliveriesPerJob = 8;

/** Fresh deliveries next to each other share a job. The order stays. */
export function shareJobs(deliveries: readonly DeliverJob[]): DeliverJob[] {
  const groups: DeliverJob[][] = [];
  for (const delivery of deliveries) {
    const last = groups.at(-1);
    const isFull = last === undefined || last.length === maxDeliveriesPerJob;
    if (isFull || last[0]?.fresh === undefined || delivery.fresh === undefined) {
      groups.push([delivery]);
    } else {
      last.push(delivery);
    }
  }
  return groups.flatMap(([first, ...more]) => {
    const shared = more.length > 0 ? { more } : {};
    return first === undefined ? [] : Object.assign({}, first, shared);
  });
}

/** The deliveries of a job, in their order. */
export function deliveriesOf({ more = [], ...first }: DeliverJob): DeliverJob[] {
  return [first, ...more];
}

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
  "user.anonymize": "timers",
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
