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

export const replayListAnswer = listOf("WebhookReplayList", replayAnswer);

export const previewAnswer = exactObject("WebhookReplayPreview", {
  count: integer,
  exact: flag,
  skipped: integer,
  oldest: nullableTimestamp,
  newest: nullableTimestamp,
  examples: { type: "array", items: text },
});
