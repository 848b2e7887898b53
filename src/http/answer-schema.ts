/** Building blocks of the schemas that answers are described with. */
import type { JsonSchema } from "./route.ts";

export const text = { type: "string" } as const;

export const nullableText = { type: ["string", "null"] } as const;

export const integer = { type: "integer" } as const;

export const nullableInteger = { type: ["integer", "null"] } as const;

export const flag = { type: "boolean" } as const;

/** As `toTimestamp` writes it. */
export const timestamp = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$",
} as const;

/** The same, or null where there is none. */
export const nullableTimestamp = { ...timestamp, type: ["string", "null"] } as const;

/** The envelope of a list: how many match in all, and one page of them. */
export function listOf(title: string, item: JsonSchema): JsonSchema {
  return exactObject(title, { total: { type: "integer" }, data: { type: "array", items: item } });
}

/** An object with exactly these members, all of them always there. */
export function exactObject(title: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    title,
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  };
}
