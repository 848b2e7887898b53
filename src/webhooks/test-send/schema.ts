import {
  exactObject,
  integer,
  nullableInteger,
  nullableText,
  text,
} from "../../http/answer-schema.ts";
import type { JsonSchema } from "../../http/route.ts";

export const testSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    filter: { type: "string", maxLength: 128 },
    event: { type: "string", pattern: "^evt_[0-9A-Za-z-]{1,64}$" },
  },
};
export type TestBody = { filter?: string; event?: string };

const texts = { type: "object", additionalProperties: text };

export const testAnswer: JsonSchema = exactObject("WebhookTest", {
  webhook_id: text,
  sent: exactObject("WebhookTestRequest", { url: text, headers: texts, body: text }),
  result: exactObject("WebhookTestResult", {
    code: nullableInteger,
    ms: integer,
    error: nullableText,
    error_detail: nullableText,
    phases: { type: "object", additionalProperties: { type: "number" } },
    headers: { type: ["object", "null"], additionalProperties: text },
    body: nullableText,
  }),
});
