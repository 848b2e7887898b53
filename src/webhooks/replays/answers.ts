/** What the operations of replays answer. */
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import { replayStatuses } from "./criteria.ts";
import { replayStates } from "./model.ts";

const criteriaAnswer = exactObject("WebhookReplayCriteria", {
  since: nullableTimestamp,
  until: nullableTimestamp,
  status: { type: "array", items: { type: "string", enum: replayStatuses } },
  object: nullableText,
  eventType: nullableText,
  result: nullableText,
  delivery: nullableInteger,
  deliveries: { type: "array", items: integer },
  undelivered: flag,
});

const members = {
  id: integer,
  webhook: integer,
  state: { type: "string", enum: replayStates },
  criteria: criteriaAnswer,
  rate: integer,
  total: nullableInteger,
  made: integer,
  skipped: nullableInteger,
  not_made: nullableInteger,
  delivered: integer,
  dead: integer,
  cancelled: integer,
  waiting: integer,
  progress: { type: "number", minimum: 0, maximum: 1 },
  deliveries_per_second: { type: "number", minimum: 0 },
  estimated_end: nullableTimestamp,
  created: timestamp,
  started: nullableTimestamp,
  ended: nullableTimestamp,
  error: nullableText,
  created_by: nullableInteger,
};

export const replayAnswer = exactObject("WebhookReplay", members);

export const repeatedAnswer = exactObject("RepeatedWebhookDelivery", {
  ...members,
  delivery_id: integer,
});

export const selectionAnswer = exactObject("ReplayedWebhookDeliveries", {
  replayed: {
    type: "array",
    items: exactObject("ReplayedWebhookDelivery", { id: integer, delivery_id: integer }),
  },
  refused: {
    type: "array",
    items: exactObject("RefusedWebhookDelivery", { id: integer, detail: text }),
  },
  replays: { type: "array", items: integer },
});

/** A recovery, and how many retries it has brought forward at once. */
export const recoveryAnswer = exactObject("WebhookRecovery", {
  ...members,
  retries: exactObject("WebhookRecoveryRetries", { count: integer, more: flag }),
});

export const replayListAnswer = listOf("WebhookReplayList", replayAnswer);

const previewMembers = {
  count: integer,
  exact: flag,
  skipped: integer,
  oldest: nullableTimestamp,
  newest: nullableTimestamp,
  examples: { type: "array", items: text },
};

export const previewAnswer = exactObject("WebhookReplayPreview", previewMembers);

export const recoveryPreviewAnswer = exactObject("WebhookRecoveryPreview", {
  ...previewMembers,
  retries: exactObject("WebhookRecoveryRetries", { count: integer, more: flag }),
});
