import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import {
  deliverQueueName,
  hintJobId,
  taskJobId,
  taskLanes,
  taskQueueName,
  type DeliverHint,
  type TaskHint,
  type TaskLane,
} from "../../contracts/jobs.ts";

/** A family of queues that hold hints of one form. */
export type HintKind<Name extends string, Hint> = Readonly<{
  jobName: string;
  names: readonly Name[];
  queueName: (name: Name) => string;
  jobId: (hint: Hint) => string;
  /** Of one queue to Postgres, where that holds the queue. */
  connections: Readonly<{ queue: number; worker: number }>;
}>;

export const deliverHints: HintKind<ObjectKind, DeliverHint> = {
  jobName: "deliver",
  names: objectKinds,
  queueName: deliverQueueName,
  jobId: hintJobId,
  connections: { queue: 2, worker: 4 },
};

/** Far fewer than deliveries, so they make do with fewer connections. */
export const taskHints: HintKind<TaskLane, TaskHint> = {
  jobName: "task",
  names: taskLanes,
  queueName: taskQueueName,
  jobId: taskJobId,
  connections: { queue: 1, worker: 2 },
};
