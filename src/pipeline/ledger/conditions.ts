/**
 * Conditions: a MongoDB query on the whole body of an event.
 * In: a query, or its stored text. Out: whether a payload matches, and why not.
 * Guarantee: evaluation never throws, is bounded in time, and is deterministic: relay, explain and
 * reconciliation share it. What cannot be evaluated (an invalid stored query, an oversized payload)
 * matches: a receiver can ignore an extra event, but cannot find a missing one.
 */
import sift from "sift";
import {
  isAffordable,
  leavesOf,
  isList,
  isObject,
  type JsonValue,
  type ConditionQuery,
} from "./condition-query.ts";
import { isOperation } from "./condition-grammar.ts";

export { checkConditions } from "./condition-grammar.ts";

type Predicate = (value: unknown) => boolean;

type SiftOperations = NonNullable<
  NonNullable<Parameters<typeof sift.createQueryTester>[1]>["operations"]
>;

const isOfType: Readonly<Record<string, Predicate>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  bool: (value) => typeof value === "boolean",
  object: isObject,
  array: isList,
  null: (value) => value === null,
};

function matchesNothing(): boolean {
  return false;
}

/** An unmet part of the conditions, with the payload's values at its paths. */
export type UnmetCondition = {
  /** The part, as JSON. */
  condition: string;
  /** `value` is JSON, cut to 100 characters; null if the payload has no value there. */
  found: { path: string; value: string | null }[];
};

const maxPaths = 5;

/**
 * The unmet parts of stored conditions for a payload; empty if all match or cannot be evaluated.
 */
export function explainConditions(text: string, payload: unknown): UnmetCondition[] {
  if (compileConditions(text)(payload)) {
    return [];
  }
  return conjunctsOf(readQuery(text))
    .filter((part) => !compileQuery(part)(payload))
    .map((part) => ({
      condition: JSON.stringify(part),
      found: [...new Set(pathsOf(part))]
        .slice(0, maxPaths)
        .map((path) => ({ path, value: truncateJson(valueAt(payload, path.split("."))) })),
    }));
}

/**
 * Compiles stored conditions to a predicate on the parsed body. Compiled once per revision and
 * called for every event that passes the filters. Neither throws.
 */
export function compileConditions(text: string): Predicate {
  try {
    return compileQuery(readQuery(text));
  } catch {
    return () => true;
  }
}

const operations: SiftOperations = {
  $eq: operatorFrom(equalTo),
  $ne: (input: JsonValue, ...rest) => sift.$ne(equalTo(input), ...rest),
  $gt: operatorFrom(ordered((value, bound) => value > bound)),
  $gte: operatorFrom(ordered((value, bound) => value >= bound)),
  $lt: operatorFrom(ordered((value, bound) => value < bound)),
  $lte: operatorFrom(ordered((value, bound) => value <= bound)),
  $in: (raw: JsonValue[], ...rest) => sift.$in([oneOf(raw)], ...rest),
  $nin: (raw: JsonValue[], ...rest) => sift.$nin([oneOf(raw)], ...rest),
  $all: (raw: JsonValue[], ...rest) =>
    sift.$all(
      raw.map((one) => oneOf([one])),
      ...rest,
    ),
  $type: operatorFrom((name: string) => isOfType[name] ?? matchesNothing),
  $mod: operatorFrom(
    ([divisor, remainder]: [number, number]): Predicate =>
      (value) =>
        typeof value === "number" && value % divisor === remainder,
  ),
  $exists: sift.$exists,
  $size: sift.$size,
  $not: sift.$not,
  $elemMatch: sift.$elemMatch,
  $and: sift.$and,
  $or: sift.$or,
  $nor: sift.$nor,
};

function compileQuery(query: ConditionQuery): Predicate {
  const test = sift.createQueryTester(normalizeQuery(query), { operations });
  const leaves = leavesOf(query);
  return (payload) => {
    try {
      return !isAffordable(leaves, payload) || test(payload);
    } catch {
      return true;
    }
  };
}

function readQuery(text: string): ConditionQuery {
  const query: unknown = JSON.parse(text);
  if (!isObject(query)) {
    throw new Error("The conditions are not an object");
  }
  return query;
}

/** Splits a query into the parts that must all match. */
function conjunctsOf(query: ConditionQuery): ConditionQuery[] {
  return Object.entries(query).flatMap(([name, value]) =>
    name === "$and" && isList(value)
      ? value.flatMap((item) => (isObject(item) ? conjunctsOf(item) : []))
      : [{ [name]: value }],
  );
}

/** The paths of a part. Those inside an `$elemMatch` are relative to its items. */
function pathsOf(query: ConditionQuery): string[] {
  return Object.entries(query).flatMap(([name, value]) =>
    isLogical(name) && isList(value)
      ? value.flatMap((item) => (isObject(item) ? pathsOf(item) : []))
      : [name],
  );
}

const longestValue = 100;

function truncateJson(value: unknown): string | null {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) {
    return null;
  }
  // Half of a surrogate pair makes the answer unreadable for strict parsers.
  const start = text.slice(0, longestValue).replace(/\p{Surrogate}$/u, "");
  return text.length > longestValue ? `${start}…` : text;
}

/** The values at a path; arrays on the way contribute the values of all their items. */
function valueAt(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) {
    return value;
  }
  if (isList(value) && !/^\d+$/u.test(part)) {
    const found = value.map((item) => valueAt(item, [part, ...rest]));
    return found.filter((one) => one !== undefined);
  }
  const holder: object = typeof value === "object" && value !== null ? value : {};
  return Object.hasOwn(holder, part) ? valueAt(Reflect.get(holder, part), rest) : undefined;
}

function equalTo(wanted: JsonValue): unknown {
  return typeof wanted === "object" && wanted !== null ? wanted : oneOf([wanted]);
}

/** Scalars are compared by functions, because sift copies arrays to compare them. */
function oneOf(wanted: readonly JsonValue[]): Predicate {
  const values = new Set<unknown>(wanted);
  return values.has(null)
    ? (value) => isNullish(value) || values.has(value)
    : (value) => values.has(value);
}

function isNullish(value: unknown): boolean {
  return value === null || value === undefined;
}

function ordered(compare: (value: string | number, bound: string | number) => boolean) {
  return (bound: string | number): Predicate =>
    (value) =>
      (typeof value === "number" || typeof value === "string") &&
      typeof value === typeof bound &&
      compare(value, bound);
}

type SiftOperation = SiftOperations[string];

/** An operator that applies a predicate, made from its argument, to each value. */
function operatorFrom(toTest: (input: never) => unknown): SiftOperation {
  return (input, owner, options) =>
    sift.createEqualsOperation(toTest(input as never), owner, options);
}

function isLogical(name: string): boolean {
  return ["$and", "$or", "$nor"].includes(name);
}

/**
 * Normalizes `{a: 1}` to `{a: {$eq: 1}}` throughout, so that every comparison is one of
 * `operations`.
 */
function normalizeQuery(query: ConditionQuery): ConditionQuery {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]): [string, JsonValue] => [
      name,
      normalizeMember(name, value),
    ]),
  );
}

function normalizeMember(name: string, value: JsonValue): JsonValue {
  if (isLogical(name) && isList(value)) {
    return value.map((item) => (isObject(item) ? normalizeQuery(item) : item));
  }
  if (name.startsWith("$")) {
    const isQuery = name === "$not" || name === "$elemMatch";
    return isQuery && isObject(value) ? normalizeQuery(value) : value;
  }
  return isObject(value) && isOperation(value) ? normalizeQuery(value) : { $eq: value };
}
