/** The JSON of a query on payloads. */

/** JSON as it comes out of a request or out of the database. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type ConditionQuery = { readonly [key: string]: JsonValue };

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is ConditionQuery {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
