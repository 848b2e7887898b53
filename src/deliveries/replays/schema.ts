import { objectKinds } from "../../contracts/events.ts";
import { sessionEventTypes } from "../../contracts/session-events.ts";
import {
  idParams,
  pageQuery,
  periodQuery,
  requiredBound,
  wordList,
  type PageQuery,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { webhookIdsField } from "../log/query.ts";
import type { WebhookParams } from "../../http/schema.ts";
import { replayStatuses, type CriteriaInput } from "./criteria.ts";
import { replayStates } from "./model.ts";
import { highestRate } from "./model.ts";

export const replayParams = idParams("replayId");

export type ReplayParams = { replayId: number };

export const repeatParams = idParams("webhookId", "deliveryId");

export type RepeatParams = WebhookParams & { deliveryId: number };

const criteria = {
  ...periodQuery,
  status: {
    type: ["string", "array"],
    maxLength: 255,
    minItems: 1, // an empty list is nothing to repeat, and not what is repeated where none is given
    maxItems: replayStatuses.length,
    uniqueItems: true,
    items: { type: "string", enum: replayStatuses },
    wordsOf: replayStatuses,
  },
  object: { type: "string", enum: objectKinds },
  eventType: { type: "string", enum: sessionEventTypes },
  result: {
    type: "string",
    pattern: "^[a-z0-9_]{1,40}$",
    rule: "a result of an attempt, such as 5xx or dns",
  },
};

/** The same for both, so that what was previewed can be sent again as it is. */
export const replaySchema = replaySchemaOf({
  ...criteria,
  rate: { type: "integer", minimum: 1, maximum: highestRate },
});

/** Deliveries of one selection: each webhook's are repeated in one transaction. */
const mostSelected = 100;

export const selectionSchema = {
  ...replaySchemaOf({
    deliveries: {
      type: "array",
      minItems: 1,
      maxItems: mostSelected,
      uniqueItems: true,
      items: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    },
  }),
  required: ["deliveries"],
};

export type SelectionBody = { deliveries: number[] };

export type ReplayBody = CriteriaInput & { rate?: number };

/** The same for both, as above. */
export const recoverySchema: JsonSchema = {
  ...replaySchemaOf({
    since: requiredBound,
    rate: { type: "integer", minimum: 1, maximum: highestRate },
  }),
  required: ["since"],
};

export type RecoveryBody = { since: string; rate?: number };

/** Both filters take several values, separated by commas. */
export const listReplaysSchema: JsonSchema = {
  type: "object",
  properties: {
    webhook: webhookIdsField,
    state: wordList(replayStates),
    ...pageQuery,
  },
};

export type ListReplaysQuery = PageQuery & { webhook?: string; state?: string };

function replaySchemaOf(properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    properties,
  };
}
