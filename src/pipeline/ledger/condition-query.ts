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

/** One comparison of a query: how many values it looks for, and how many walks lead to it. */
type ConditionLeaf = Readonly<{ weight: number; walks: number }>;

/**
 * The most visits of values that judging one payload may cost: some 20 ms. Everyday payloads, of
 * fifty values, stay below it whatever is asked.
 */
const maxVisits = 400_000;

type PayloadSize = { values: number; lists: number };

/** What each comparison of a query costs. A level of the query is at most one more walk. */
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
 * Whether a payload can be judged in a few milliseconds. Each walk of a query goes through arrays
 * at the end of its path by itself, so arrays in arrays are what makes a payload dear.
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

/** A payload is judged for every subscription of its enterprise, and measured once. */
const sizeCache = new WeakMap<object, PayloadSize | "endless">();

function sizeOf(payload: unknown): PayloadSize | "endless" {
  const key = typeof payload === "object" ? payload : null;
  const size = (key === null ? undefined : sizeCache.get(key)) ?? measure(payload) ?? "endless";
  if (key !== null) {
    sizeCache.set(key, size);
  }
  return size;
}

/** Our payloads are a few levels deep. Deeper queries are refused before recursion could overflow. */
const maxPayloadDepth = 64;

type VisitStep = { value: unknown; depth: number; lists: number };

/** How many values a payload has and how many arrays lie in each other. Undefined: beyond bounds. */
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

/** Ways to share `lists` nested arrays among `walks` walks that follow each other. */
function pathCount(walks: number, lists: number): number {
  let ways = 1;
  for (let index = 1; index <= lists && ways <= maxVisits; index += 1) {
    ways = (ways * (walks + index)) / index;
  }
  return ways;
}
