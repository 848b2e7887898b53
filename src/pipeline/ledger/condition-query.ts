/** The JSON of a condition query, and the cost of evaluating it. */

/** JSON from a request or the database. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type ConditionQuery = { readonly [key: string]: JsonValue };

/**
 * One comparison of a query: the number of values it compares with, and the depth of array
 * traversals that lead to it.
 */
type ConditionLeaf = Readonly<{ weight: number; walks: number }>;

/**
 * Maximum visited values per payload, about 20 ms. Ordinary payloads, with fifty values, stay below
 * it for any query.
 */
const maxVisits = 400_000;

type PayloadSize = { values: number; lists: number };

/** The cost of each comparison. Each level of the query adds at most one traversal. */
export function leavesOf(query: ConditionQuery, walks = 1): ConditionLeaf[] {
  return Object.entries(query).flatMap(([name, value]): ConditionLeaf[] => {
    if (name === "$and" || name === "$or" || name === "$nor") {
      return isList(value)
        ? value.flatMap((item) => (isObject(item) ? leavesOf(item, walks + 1) : []))
        : [];
    }
    const isNested = !name.startsWith("$") || name === "$not" || name === "$elemMatch";
    return isNested && isObject(value)
      ? leavesOf(value, walks + 1)
      : [{ weight: literalSize(value), walks }];
  });
}

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is ConditionQuery {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function literalSize(value: JsonValue): number {
  if (typeof value !== "object" || value === null) {
    return 1;
  }
  return Object.values(value).reduce<number>((sum, item) => sum + literalSize(item), 1);
}

/**
 * Whether a payload can be evaluated in a few milliseconds. Each step of a path traverses arrays,
 * so nested arrays make a payload expensive.
 */
export function isAffordable(leaves: readonly ConditionLeaf[], payload: unknown): boolean {
  const size = sizeOf(payload);
  if (size === "endless") {
    return false;
  }
  let visits = 0;
  for (const { weight, walks } of leaves) {
    visits += size.values * weight * pathCount(walks, size.lists);
  }
  return visits <= maxVisits;
}

/** Memoized: a payload is evaluated for every subscription of its enterprise. */
const sizeCache = new WeakMap<object, PayloadSize | "endless">();

function sizeOf(payload: unknown): PayloadSize | "endless" {
  const key = typeof payload === "object" ? payload : null;
  const size = (key === null ? undefined : sizeCache.get(key)) ?? measure(payload) ?? "endless";
  if (key !== null) {
    sizeCache.set(key, size);
  }
  return size;
}

/**
 * Platform payloads have a few levels. Deeper ones are refused before the recursion could overflow
 * the stack.
 */
const maxPayloadDepth = 64;

type VisitStep = { value: unknown; depth: number; lists: number };

/**
 * Counts the values of a payload and the depth of its nested arrays. Undefined above the limits.
 */
function measure(payload: unknown): PayloadSize | undefined {
  const size: PayloadSize = { values: 0, lists: 0 };
  const open: VisitStep[] = [{ value: payload, depth: 0, lists: 0 }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { value, depth } = step;
    size.values += 1;
    if (size.values > maxVisits || depth > maxPayloadDepth) {
      return undefined;
    }
    if (typeof value === "object" && value !== null) {
      const lists = step.lists + (Array.isArray(value) ? 1 : 0);
      size.lists = Math.max(size.lists, lists);
      for (const item of Object.values(value)) {
        open.push({ value: item, depth: depth + 1, lists });
      }
    }
  }
  return size;
}

/** The number of ways to distribute `lists` nested arrays over `walks` consecutive traversals. */
function pathCount(walks: number, lists: number): number {
  let ways = 1;
  for (let index = 1; index <= lists && ways <= maxVisits; index += 1) {
    ways = (ways * (walks + index)) / index;
  }
  return ways;
}
