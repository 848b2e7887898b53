import type { JsonSchema } from "../../http/route.ts";

const mostWaitSeconds = 25;

const after = { type: "string", minLength: 1, maxLength: 64 };

export const pullSchema: JsonSchema = {
  type: "object",
  properties: {
    after,
    limit: { type: "integer" },
    wait: { type: "integer", minimum: 0, maximum: mostWaitSeconds },
  },
};
export type PullQuery = { after?: string; limit?: number; wait?: number };

export const streamSchema: JsonSchema = { type: "object", properties: { after } };
export type StreamQuery = { after?: string };
