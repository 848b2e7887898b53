/** What the operations of tokens and of the current user answer. */
import {
  exactObject,
  flag,
  integer,
  nullableText,
  text,
  timestamp,
} from "../http/answer-schema.ts";
import type { JsonSchema } from "../http/route.ts";

const uri = { type: "string", format: "uri" };

/** `refresh_token` only where it was asked for. */
export const tokenAnswer: JsonSchema = {
  title: "Token",
  type: "object",
  additionalProperties: false,
  required: ["access_token", "created_at", "expires_in", "token_type"],
  properties: {
    access_token: text,
    created_at: timestamp,
    expires_in: integer,
    token_type: { type: "string", enum: ["Bearer"] },
    refresh_token: text,
  },
};

export const meAnswer = exactObject("Me", {
  photo_url: uri,
  enterpriseId: integer,
  userId: integer,
  apiKey: text,
  nickname: text,
  token: text,
  is_agent: flag,
  ccs: text,
  mail: nullableText,
});
