/** Building blocks of the schemas that parameters are described with. */
import type { JsonSchema } from "./route.ts";

/** Parameters of a path that name objects by their ids. */
export const idParams = (...names: string[]): JsonSchema => ({
  type: "object",
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: "integer", minimum: 1 }])),
});

/** Which page of a list is wanted; `parsePage` judges the values. */
export const pageQuery = {
  limit: { type: "integer" },
  offset: { type: "integer" },
} as const;

export type PageQuery = { limit?: number; offset?: number };

/** Which end of a list comes first. */
export const orderQuery = { order: { type: "string", enum: ["asc", "desc"] } } as const;

export type OrderQuery = { order?: "asc" | "desc" };

/** Of lists that know nothing but pages and their order. */
export const orderedPageSchema: JsonSchema = {
  type: "object",
  properties: { ...orderQuery, ...pageQuery },
};

export type OrderedPageQuery = PageQuery & OrderQuery;
