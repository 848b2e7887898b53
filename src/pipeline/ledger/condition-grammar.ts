import { invalidParameter } from "../../contracts/problems.ts";
import { type JsonValue, type ConditionQuery, isList, isObject } from "./condition-query.ts";

const maxDepth = 8;

const maxOperators = 50;

const maxItems = 100;

const maxPathParts = 20;

/** The top-level members of a payload. A path must start with one of them. */
const payloadMembers: readonly string[] = ["event", "time", "object", "objectId", "props"];

/** The type names of `$type`. */
const jsonTypes = ["string", "number", "bool", "object", "array", "null"] as const;

const logical: readonly string[] = ["$and", "$or", "$nor"];

type CheckContext = Readonly<{
  path: string;
  depth: number;
  isTop: boolean;
  tally: { operators: number };
}>;

/** The operators of a field, and what each accepts. */
const operators: Readonly<Record<string, (value: JsonValue, place: CheckContext) => void>> = {
  $eq: checkLiteral,
  $ne: checkLiteral,
  $gt: checkOrdered,
  $gte: checkOrdered,
  $lt: checkOrdered,
  $lte: checkOrdered,
  $in: checkScalars,
  $nin: checkScalars,
  $all: checkScalars,
  $exists: requireThat((value) => typeof value === "boolean", "It must be true or false."),
  $size: requireThat(
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    "It must be a whole number of at least 0.",
  ),
  $mod: requireThat(
    isModulo,
    "It must be [divisor, remainder], two whole numbers, the first not 0.",
  ),
  $type: requireThat(
    (value) => jsonTypes.some((type) => type === value),
    `It must be one of ${jsonTypes.join(", ")}.`,
  ),
  $not: (value, place) => {
    checkOperations(requireObject(value, place), place);
  },
  $elemMatch: checkElement,
};

const nestingOperators: readonly string[] = ["$eq", "$ne", "$not", "$elemMatch"];

/** Limits of a query: length of the JSON text, nesting depth, number of comparisons. */
const maxBytes = 4_096;

/**
 * Validates a query and returns the JSON text to store. Throws the problem of `conditions` with the
 * path and the reason. Checks the depth first, so that no later step recurses deeper.
 */
export function checkConditions(input: unknown): string {
  const place: CheckContext = {
    path: "conditions",
    depth: 1,
    isTop: true,
    tally: { operators: 0 },
  };
  checkQuery(requireObject(input as JsonValue, place), place);
  const text = JSON.stringify(input);
  if (Buffer.byteLength(text) > maxBytes) {
    throw fault(place.path, "length", `Conditions may have at most ${maxBytes} bytes as JSON.`);
  }
  return text;
}

function checkScalars(value: JsonValue, place: CheckContext): void {
  requireList(value, place).forEach((item, index) => {
    checkScalar(item, nestedContext(place, String(index)));
  });
}

function checkScalar(value: JsonValue, place: CheckContext): void {
  if (!isScalar(value)) {
    throw fault(place.path, "type", "It must be text, a number, true, false or null.");
  }
  checkFinite(value, place);
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function checkOrdered(value: JsonValue, place: CheckContext): void {
  if (typeof value !== "string" && typeof value !== "number") {
    throw fault(place.path, "type", "It must be text or a number.");
  }
  checkFinite(value, place);
}

function requireThat(isRight: (value: JsonValue) => boolean, detail: string) {
  return (value: JsonValue, { path }: CheckContext): void => {
    if (!isRight(value)) {
      throw fault(path, "type", detail);
    }
  };
}

function isModulo(value: JsonValue): boolean {
  return (
    isList(value) &&
    value.length === 2 &&
    value.every((item) => Number.isSafeInteger(item)) &&
    value[0] !== 0
  );
}

function checkElement(value: JsonValue, place: CheckContext): void {
  const query = requireObject(value, place);
  const names = Object.keys(query);
  if (names.some((name) => name.startsWith("$") && !logical.includes(name))) {
    checkOperations(query, place);
  } else {
    checkQuery(query, { ...place, isTop: false });
  }
}

function checkQuery(query: ConditionQuery, place: CheckContext): void {
  for (const [name, value] of Object.entries(query)) {
    const inside = nestedContext(place, name);
    if (logical.includes(name)) {
      countOperator(inside);
      requireList(value, inside).forEach((item, index) => {
        const branch = nestedContext(inside, String(index), place.depth + 1);
        checkQuery(requireObject(item, branch), branch);
      });
    } else {
      checkField(name, value, inside);
    }
  }
}

function requireList(value: JsonValue, place: CheckContext): readonly JsonValue[] {
  if (!isList(value)) {
    throw fault(place.path, "type", "It must be an array.");
  }
  checkLength(value, place);
  return value;
}

function requireObject(value: JsonValue, place: CheckContext): ConditionQuery {
  checkDepth(place);
  if (!isObject(value)) {
    throw fault(place.path, "type", "It must be an object.");
  }
  if (Object.keys(value).length === 0) {
    throw fault(place.path, "empty", "It must not be empty.");
  }
  return value;
}

function checkField(path: string, value: JsonValue, place: CheckContext): void {
  checkPath(path, place);
  if (isObject(value) && isOperation(value)) {
    checkOperations(value, { ...place, depth: place.depth + 1 });
  } else {
    countOperator(place);
    checkLiteral(value, { ...place, depth: place.depth + 1 });
  }
}

function checkPath(path: string, place: CheckContext): void {
  const parts = path.split(".");
  if (parts.includes("") || parts.length > maxPathParts) {
    throw fault(place.path, "format", `A path has 1 to ${maxPathParts} names, separated by dots.`);
  }
  parts.forEach((part) => {
    checkName(part, place);
  });
  if (place.isTop && !payloadMembers.includes(parts[0] ?? "")) {
    throw fault(place.path, "unknown", `A path must start with ${payloadMembers.join(", ")}.`);
  }
}

/** Whether the keys of an object are operators, not names of members. */
export function isOperation(value: ConditionQuery): boolean {
  return Object.keys(value).some((name) => name.startsWith("$"));
}

function checkOperations(query: ConditionQuery, place: CheckContext): void {
  checkDepth(place);
  for (const [name, value] of Object.entries(query)) {
    const inside = nestedContext(
      place,
      name,
      place.depth + (nestingOperators.includes(name) ? 1 : 0),
    );
    const check = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (check === undefined) {
      const what = name.startsWith("$") ? "operator" : "name";
      throw fault(inside.path, "unknown", `The ${what} ${name} is not allowed here.`);
    }
    countOperator(inside);
    check(value, inside);
  }
}

function countOperator({ path, tally }: CheckContext): void {
  tally.operators += 1;
  if (tally.operators > maxOperators) {
    throw fault(path, "length", `Conditions may have at most ${maxOperators} comparisons.`);
  }
}

/** A literal to compare with: any JSON without operators. */
function checkLiteral(value: JsonValue, place: CheckContext): void {
  checkDepth(place);
  checkFinite(value, place);
  if (isList(value)) {
    checkLength(value, place, 0);
    value.forEach((item, index) => {
      checkLiteral(item, nestedContext(place, String(index), place.depth + 1));
    });
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const inside = nestedContext(place, name, place.depth + 1);
      checkName(name, inside);
      checkLiteral(member, inside);
    }
  }
}

function checkDepth({ path, depth }: CheckContext): void {
  if (depth > maxDepth) {
    throw fault(path, "depth", `Conditions can be nested at most ${maxDepth} levels deep.`);
  }
}

/** `1e400` is valid JSON but not finite: stored, it would become null and match absent fields. */
function checkFinite(value: JsonValue, { path }: CheckContext): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw fault(path, "range", "The number is too large.");
  }
}

function checkLength(list: readonly JsonValue[], { path }: CheckContext, least = 1): void {
  if (list.length < least || list.length > maxItems) {
    throw fault(path, "length", `It must have ${least} to ${maxItems} items.`);
  }
}

function nestedContext(place: CheckContext, part: string, depth = place.depth): CheckContext {
  return {
    ...place,
    path: `${place.path}.${part}`,
    depth,
  };
}

function checkName(name: string, place: CheckContext): void {
  if (name.startsWith("$")) {
    throw fault(place.path, "unknown", `The operator ${name} is not allowed here.`);
  }
  if (isInherited(name)) {
    throw fault(place.path, "format", `The name ${name} is not allowed.`);
  }
}

function fault(path: string, reason: string, detail: string): Error {
  return invalidParameter("conditions", reason, `${path}: ${detail}`);
}

/** Names that every JavaScript object inherits. */
function isInherited(name: string): boolean {
  return name in Object.prototype;
}
