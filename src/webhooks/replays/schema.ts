import { objectKinds } from "../../contracts/events.ts";
import { sessionEventTypes } from "../../contracts/session-events.ts";
import { idParams, pageQuery } from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import type { WebhookParams } from "../schema.ts";
import { replayStatuses, type CriteriaInput } from "./criteria.ts";
import { highestRate } from "./model.ts";

export const replayParams = idParams("replayId");
export type ReplayParams = { replayId: number };

export const repeatParams = idParams("webhookId", "deliveryId");
export type RepeatParams = WebhookParams & { deliveryId: number };

const bound = { type: "string", maxLength: 40 };

const criteria = {
  since: bound,
  until: bound,
  status: {
    type: ["string", "array"],
    maxLength: 255,
    minItems: 1, // an empty list is nothing to repeat, and not what is repeated where none is given
    maxItems: replayStatuses.length,
    uniqueItems: true,
    items: { type: "string", enum: replayStatuses },
  },
  object: { type: "string", enum: objectKinds },
  eventType: { type: "string", enum: sessionEventTypes },
  result: { type: "string", pattern: "^[a-z0-9_]{1,40}$" },
};

const replaySchemaOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  properties,
});

/** The same for both, so that what was previewed can be sent again as it is. */
export const replaySchema = replaySchemaOf({
  ...criteria,
  rate: { type: "integer", minimum: 1, maximum: highestRate },
});

export type ReplayBody = CriteriaInput & { rate?: number };

export const listReplaysSchema: JsonSchema = {
  type: "object",
  properties: pageQuery,
};
