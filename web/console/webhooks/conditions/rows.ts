/** Converts conditions between rows (field, operator, value) and the query. Pure. */
import type { FieldKind } from "./fields.ts";

export const operators = [
  ...(["eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "exists", "absent"] as const),
] as const;

export type Operator = (typeof operators)[number];

export type Row = Readonly<{
  field: string;
  operator: Operator;
  /** As typed; several for `in` and `nin`. */
  values: readonly string[];
}>;

export type Query = Record<string, unknown>;

export type KindOf = (field: string) => FieldKind;

/** The value is not a number, but the field is compared numerically. */
export function isWrongKind({ operator, values }: Row, kind: FieldKind): boolean {
  return (
    kind === "number" &&
    !takesNothing(operator) &&
    values.some((text) => typeof valueOf(text, kind) !== "number")
  );
}

/**
 * Skips rows without a field. Conditions on a field that do not fit in one object go into `$and`.
 */
export function queryOf(rows: readonly Row[], kindOf: KindOf): Query | null {
  const byField = new Map<string, Query>();
  const more: Query[] = [];
  for (const row of rows.filter(({ field }) => field.trim() !== "")) {
    const field = row.field.trim();
    const comparison = comparisonOf(row, kindOf(field));
    const before = byField.get(field) ?? {};
    if (Object.keys(comparison).some((name) => name in before)) {
      more.push({ [field]: shortOf(comparison) });
    } else {
      byField.set(field, { ...before, ...comparison });
    }
  }
  const query = Object.fromEntries([...byField].map(([field, one]) => [field, shortOf(one)]));
  if (byField.size === 0) {
    return null;
  }
  return more.length === 0 ? query : { ...query, $and: more };
}

function comparisonOf({ operator, values }: Row, kind: FieldKind): Query {
  if (takesNothing(operator)) {
    return { $exists: operator === "exists" };
  }
  const typed = values.map((text) => valueOf(text, kind));
  if (takesList(operator)) {
    // The API rejects an empty list, so an empty selection becomes a value that never matches.
    return { [`$${operator}`]: typed.length === 0 ? [""] : typed };
  }
  return { [`$${operator}`]: typed.length === 0 ? "" : typed[0] };
}

/** Shortens `{ $eq: "done" }` to `"done"`. */
function shortOf(comparison: Query): unknown {
  const names = Object.keys(comparison);
  return names.length === 1 && names[0] === "$eq" ? comparison["$eq"] : comparison;
}

/** undefined for a query that rows cannot represent. */
export function rowsOf(query: Query | null, kindOf: KindOf): Row[] | undefined {
  const rows = query === null ? [] : allRows(query, kindOf);
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

function allRows(query: Query, kindOf: KindOf): (Row | undefined)[] {
  return Object.entries(query).flatMap(([name, value]) => {
    if (name === "$and" && Array.isArray(value)) {
      return value.flatMap((one: unknown) => (isObject(one) ? allRows(one, kindOf) : [undefined]));
    }
    return name.startsWith("$") ? [undefined] : rowsOfField(name, value, kindOf(name));
  });
}

function rowsOfField(field: string, value: unknown, kind: FieldKind): (Row | undefined)[] {
  if (!isObject(value)) {
    return [rowOf(field, "$eq", value, kind)];
  }
  return Object.keys(value).length === 0
    ? [undefined]
    : Object.entries(value).map(([name, one]) => rowOf(field, name, one, kind));
}

function isObject(value: unknown): value is Query {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rowOf(field: string, name: string, value: unknown, kind: FieldKind): Row | undefined {
  const operator = operators.find((one) => `$${one}` === name);
  if (name === "$exists" && typeof value === "boolean") {
    return { field, operator: value ? "exists" : "absent", values: [] };
  }
  if (operator === undefined || takesNothing(operator)) {
    return undefined;
  }
  if (takesList(operator)) {
    const texts = Array.isArray(value) ? value.map((one) => exactTextOf(one, kind)) : [undefined];
    return texts.every((text) => text !== undefined)
      ? { field, operator, values: texts }
      : undefined;
  }
  const text = exactTextOf(value, kind);
  return text === undefined ? undefined : { field, operator, values: [text] };
}

/** undefined if the value would be changed as soon as another row is edited, such as null or "5". */
function exactTextOf(value: unknown, kind: FieldKind): string | undefined {
  const text = isScalar(value) ? textOf(value, kind) : undefined;
  return text !== undefined && valueOf(text, kind) === value ? text : undefined;
}

export function takesNothing(operator: Operator): boolean {
  return operator === "exists" || operator === "absent";
}

export function takesList(operator: Operator): boolean {
  return operator === "in" || operator === "nin";
}

function textOf(value: string | number | boolean | null, kind: FieldKind): string {
  if (typeof value !== "string") {
    return JSON.stringify(value);
  }
  return valueOf(value, kind) === value ? value : JSON.stringify(value);
}

/** Values of fields of unknown kind are parsed as JSON, else used as text. */
function valueOf(text: string, kind: FieldKind): unknown {
  if (kind === "text") {
    return text;
  }
  const value = scalarOf(text.trim());
  return kind === "any" || typeof value === "number" ? value : text;
}

function scalarOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isScalar(value) ? value : text;
  } catch {
    return text;
  }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
