import {
  exactObject,
  integer,
  listOf,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { line } from "../fields.ts";

export const defaultDays = 90;

export const createApiTokenSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: line(100, 1),
    expires_in_days: { type: "integer", minimum: 1, maximum: 366 },
  },
};

export type CreateApiTokenBody = { name: string; expires_in_days?: number };

const fields = {
  id: integer,
  name: text,
  user: exactObject("ApiTokenUser", { id: integer, login: text }),
  created: timestamp,
  expires_at: timestamp,
  last_used_at: nullableTimestamp,
};

export const apiTokenListSchema = listOf("ApiTokenList", exactObject("ApiToken", fields));

export const newApiTokenSchema = exactObject("NewApiToken", { ...fields, token: text });
