import { limitQuery } from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";

const mostWaitSeconds = 25;

export const pullRule = { defaultLimit: 100, maxLimit: 1_000 };

const after = {
  type: "string",
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_-]+$",
  rule: "a cursor that this API gave",
};

export const pullSchema: JsonSchema = {
  type: "object",
  properties: {
    after,
    ...limitQuery(pullRule),
    wait: { type: "integer", minimum: 0, maximum: mostWaitSeconds },
  },
};
export type PullQuery = { after?: string; limit?: number; wait?: number };

export const streamSchema: JsonSchema = { type: "object", properties: { after } };
export type StreamQuery = { after?: string };
