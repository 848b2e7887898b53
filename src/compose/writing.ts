/** Composition of what writes events and tasks, the same for every role. */
import { createOutbox, type Outbox } from "../pipeline/outbox/append.ts";
import { createTasks, type Tasks } from "../platform/tasks/task.ts";
import type { Platform } from "./platform.ts";

export function composeOutbox({ ids, clock, faultPoint, notifier, config }: Platform): Outbox {
  return createOutbox({
    ids,
    clock,
    faultPoint,
    maxBytes: config.delivery.eventMaxBytes,
    wake: () => notifier.wake("outbox"),
  });
}

export function composeTaskPlanning({ clock, notifier }: Platform): Tasks {
  return createTasks({ clock, wake: () => notifier.wake("tasks") });
}
