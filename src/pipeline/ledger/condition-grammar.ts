import { invalidParameter } from "../../contracts/problems.ts";

/** JSON as it comes out of a request or out of the database. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export type Query = { readonly [key: string]: Json };

const maxDepth = 8;

const maxOperators = 50;

const maxItems = 100;

const maxPathParts = 20;

/** The members of a payload. A path that begins with anything else could never be found. */
const payloadMembers: readonly string[] = ["event", "time", "object", "objectId", "props"];

/** The words of `$type`. */
const jsonTypes = ["string", "number", "bool", "object", "array", "null"] as const;

const logical: readonly string[] = ["$and", "$or", "$nor"];

type Place = Readonly<{
  path: string;
  depth: number;
  isTop: boolean;
  tally: { operators: number };
}>;

/** What may stand below a field, and what each takes. */
const operators: Readonly<Record<string, (value: Json, place: Place) => void>> = {
  $eq: checkLiteral,
  $ne: checkLiteral,
  $gt: checkOrdered,
  $gte: checkOrdered,
  $lt: checkOrdered,
  $lte: checkOrdered,
  $in: checkScalars,
  $nin: checkScalars,
  $all: checkScalars,
  $exists: must((value) => typeof value === "boolean", "It must be true or false."),
  $size: must(
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    "It must be a whole number from 0 on.",
  ),
  $mod: must(isModulo, "It must be [divisor, remainder], two whole numbers, the first not 0."),
  $type: must(
    (value) => jsonTypes.some((type) => type === value),
    `It must be one of ${jsonTypes.join(", ")}.`,
  ),
  $not: (value, place) => {
    checkOperations(requireObject(value, place), place);
  },
  $elemMatch: checkElement,
};

const nests: readonly string[] = ["$eq", "$ne", "$not", "$elemMatch"];

/** Bounds of what may be asked: of its JSON text, its nested objects, its comparisons. */
const maxBytes = 4_096;

/**
 * Checks a query that somebody wants to filter payloads with, and gives the JSON text to store.
 * Throws the problem of `conditions`, which names the path and what is wrong there. Depth is looked
 * at first: nothing here goes deeper than the bound, whatever was sent.
 */
export function checkConditions(given: unknown): string {
  const place: Place = { path: "conditions", depth: 1, isTop: true, tally: { operators: 0 } };
  checkQuery(requireObject(given as Json, place), place);
  const text = JSON.stringify(given);
  if (Buffer.byteLength(text) > maxBytes) {
    throw fault(place.path, "length", `Conditions have at most ${maxBytes} bytes as JSON.`);
  }
  return text;
}

function checkScalars(value: Json, place: Place): void {
  requireList(value, place).forEach((item, index) => {
    checkScalar(item, below(place, String(index)));
  });
}

function checkScalar(value: Json, place: Place): void {
  if (!isScalar(value)) {
    throw fault(place.path, "type", "It must be text, a number, true, false or null.");
  }
  checkFinite(value, place);
}

function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

function checkOrdered(value: Json, place: Place): void {
  if (typeof value !== "string" && typeof value !== "number") {
    throw fault(place.path, "type", "It must be text or a number.");
  }
  checkFinite(value, place);
}

function must(isRight: (value: Json) => boolean, detail: string) {
  return (value: Json, { path }: Place): void => {
    if (!isRight(value)) {
      throw fault(path, "type", detail);
    }
  };
}

function isModulo(value: Json): boolean {
  return (
    isList(value) &&
    value.length === 2 &&
    value.every((item) => Number.isSafeInteger(item)) &&
    value[0] !== 0
  );
}

function checkElement(value: Json, place: Place): void {
  const query = requireObject(value, place);
  const names = Object.keys(query);
  if (names.some((name) => name.startsWith("$") && !logical.includes(name))) {
    checkOperations(query, place);
  } else {
    checkQuery(query, { ...place, isTop: false });
  }
}

function checkQuery(query: Query, place: Place): void {
  for (const [name, value] of Object.entries(query)) {
    const inside = below(place, name);
    if (logical.includes(name)) {
      count(inside);
      requireList(value, inside).forEach((item, index) => {
        const branch = below(inside, String(index), place.depth + 1);
        checkQuery(requireObject(item, branch), branch);
      });
    } else {
      checkField(name, value, inside);
    }
  }
}

function requireList(value: Json, place: Place): readonly Json[] {
  if (!isList(value)) {
    throw fault(place.path, "type", "It must be an array.");
  }
  checkLength(value, place);
  return value;
}

function requireObject(value: Json, place: Place): Query {
  checkDepth(place);
  if (!isObject(value)) {
    throw fault(place.path, "type", "It must be an object.");
  }
  if (Object.keys(value).length === 0) {
    throw fault(place.path, "empty", "It must not be empty.");
  }
  return value;
}

function checkField(path: string, value: Json, place: Place): void {
  checkPath(path, place);
  if (isObject(value) && isOperation(value)) {
    checkOperations(value, { ...place, depth: place.depth + 1 });
  } else {
    count(place);
    checkLiteral(value, { ...place, depth: place.depth + 1 });
  }
}

function checkPath(path: string, place: Place): void {
  const parts = path.split(".");
  if (parts.includes("") || parts.length > maxPathParts) {
    throw fault(
      place.path,
      "format",
      `A path has 1 to ${maxPathParts} names with a dot between each.`,
    );
  }
  parts.forEach((part) => {
    checkName(part, place);
  });
  if (place.isTop && !payloadMembers.includes(parts[0] ?? "")) {
    throw fault(place.path, "unknown", `A path begins with ${payloadMembers.join(", ")}.`);
  }
}

function isOperation(value: Query): boolean {
  return Object.keys(value).some((name) => name.startsWith("$"));
}

function checkOperations(query: Query, place: Place): void {
  checkDepth(place);
  for (const [name, value] of Object.entries(query)) {
    const inside = below(place, name, place.depth + (nests.includes(name) ? 1 : 0));
    const check = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (check === undefined) {
      const what = name.startsWith("$") ? "operator" : "name";
      throw fault(inside.path, "unknown", `The ${what} ${name} cannot be used here.`);
    }
    count(inside);
    check(value, inside);
  }
}

function count({ path, tally }: Place): void {
  tally.operators += 1;
  if (tally.operators > maxOperators) {
    throw fault(path, "length", `Conditions have at most ${maxOperators} comparisons.`);
  }
}

/** A value to compare with: whatever JSON can say, without operators in it. */
function checkLiteral(value: Json, place: Place): void {
  checkDepth(place);
  checkFinite(value, place);
  if (isList(value)) {
    checkLength(value, place, 0);
    value.forEach((item, index) => {
      checkLiteral(item, below(place, String(index), place.depth + 1));
    });
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const inside = below(place, name, place.depth + 1);
      checkName(name, inside);
      checkLiteral(member, inside);
    }
  }
}

function checkDepth({ path, depth }: Place): void {
  if (depth > maxDepth) {
    throw fault(path, "depth", `Conditions are nested at most ${maxDepth} deep.`);
  }
}

/** `1e400` is JSON, and no number of ours: stored, it would become null and match what has none. */
function checkFinite(value: Json, { path }: Place): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw fault(path, "range", "The number is too large.");
  }
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

function checkLength(list: readonly Json[], { path }: Place, least = 1): void {
  if (list.length < least || list.length > maxItems) {
    throw fault(path, "length", `It must have ${least} to ${maxItems} items.`);
  }
}

function below(place: Place, part: string, depth = place.depth): Place {
  return {
    ...place,
    path: `${place.path}.${part}`,
    depth,
  };
}

export function isObject(value: unknown): value is Query {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkName(name: string, place: Place): void {
  if (name.startsWith("$")) {
    throw fault(place.path, "unknown", `The operator ${name} cannot be used here.`);
  }
  if (isInherited(name)) {
    throw fault(place.path, "format", `The name ${name} cannot be used.`);
  }
}

function fault(path: string, reason: string, detail: string): Error {
  return invalidParameter("conditions", reason, `${path}: ${detail}`);
}

/** Names that every object of JavaScript answers to, whatever it holds. */
function isInherited(name: string): boolean {
  return name in Object.prototype;
}
