/**
 * plain-words: reports names that have a standard term, which readers can search for. Only
 * declarations are reported, because uses follow them: in code, those of identifiers and the keys of
 * objects; in SQL, aliases.
 *
 * Words are the parts of a camelCase name: `heartbeat` is one word and does not contain `beat`. A
 * phrase such as "hand out" matches consecutive words only.
 */
const standardNames = [
  {
    old: ["told", "tell"],
    standard: "events, listener, notified, or a verb such as notify or report",
  },
  { old: ["given"], standard: "input, or the noun of what it holds" },
  { old: ["dear"], standard: "expensive" },
  { old: ["breath", "breathe"], standard: "yieldToEventLoop" },
  { old: ["pulse", "beat"], standard: "heartbeat, poll or snapshot" },
  { old: ["turnstile"], standard: "fair limiter" },
  { old: ["seat", "seats"], standard: "semaphore, or permits" },
  { old: ["stay", "stays"], standard: "participation" },
  { old: ["lane", "lanes"], standard: "queue, or the noun of what it separates" },
  { old: ["poison"], standard: "deadLetter" },
  { old: ["keeper"], standard: "scheduler" },
  { old: ["enlist", "enlisted"], standard: "createReplayDeliveries" },
  { old: ["withdraw", "withdrawn"], standard: "cancel" },
  { old: ["trouble"], standard: "failure" },
  { old: ["moment", "moments"], standard: "time, or the noun of what happens then" },
  { old: ["way of"], standard: "queryPlan, or the noun of what is chosen" },
  { old: ["let go"], standard: "release or unblock" },
  { old: ["set aside"], standard: "deadLetter" },
  { old: ["take back"], standard: "requeue" },
  { old: ["hand out", "handed out"], standard: "enqueue" },
  { old: ["in turn"], standard: "keyedMutex" },
  {
    old: ["look at", "looks at", "looked", "looks"],
    standard: "read, poll, scanned, or the noun of what is read",
  },
  { old: ["good"], standard: "valid, successful or healthy" },
  { old: ["judge", "judged", "unjudged"], standard: "evaluate or assess" },
  { old: ["story"], standard: "history or timeline" },
  { old: ["is taken"], standard: "accepted, admitted, granted or inUse" },
  { old: ["hole", "holes"], standard: "gaps" },
  { old: ["parked"], standard: "overflow" },
  { old: ["cut"], standard: "truncated, aborted or incomplete" },
  { old: ["conclude", "concludes", "concluded"], standard: "finish" },
  { old: ["learn", "learns", "learned"], standard: "update, or updateHealth" },
  { old: ["experience"], standard: "outcome" },
  { old: ["reckon", "reckoning"], standard: "count, reconcile, or the noun of the result" },
  { old: ["doubt", "doubts"], standard: "uncertain" },
  { old: ["remembering"], standard: "memoize" },
  { old: ["alarm"], standard: "Wakeup" },
  { old: ["own doing"], standard: "abortedByUs" },
  { old: ["pass notes"], standard: "heartbeats" },
];

/**
 * Words that are reported only as a whole name: within a longer name they have their usual meaning.
 */
const standardNamesOfWhole = [
  { old: ["look"], standard: "snapshot, poll or read" },
  { old: ["hint", "hints"], standard: "job" },
  { old: ["terms"], standard: "retentionSettings, or the noun of what is set" },
  { old: ["proof"], standard: "reconciliation, or the noun of what is proved" },
  { old: ["asking"], standard: "the noun of what asks" },
];

/** Properties whose name is defined outside of the code, and their bindings and keys. */
const namedElsewhere = new Map([
  ["terms", "member of the consent in the API"],
  ["good", "quality of a connection in the API; member of what `sightline verify --json` prints"],
  ["lane", "deprecated member in the API"],
  ["lanes", "deprecated member in the API"],
  ["unjudged", "deprecated member in the API"],
]);

function wordsOf(name) {
  return name
    .replace(/^[_#$]+/u, "")
    .split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/u)
    .map((word) => word.toLowerCase());
}

/** The standard name for an identifier; undefined if the identifier is fine. */
function standardNameFor(name) {
  const words = ` ${wordsOf(name).join(" ")} `;
  const within = standardNames.find(({ old }) => old.some((one) => words.includes(` ${one} `)));
  const whole = standardNamesOfWhole.find(({ old }) => old.some((one) => words === ` ${one} `));
  return (within ?? whole)?.standard;
}

const declarations = new Set([
  "FunctionDeclaration",
  "ClassDeclaration",
  "VariableDeclarator",
  "TSTypeAliasDeclaration",
  "TSInterfaceDeclaration",
  "TSEnumDeclaration",
]);

const members = new Set([
  "TSPropertySignature",
  "TSMethodSignature",
  "PropertyDefinition",
  "MethodDefinition",
]);

function isMember(node) {
  return members.has(node.parent.type) && node.parent.key === node && !node.parent.computed;
}

/** A method of an object: `{ name: () => … }` or `{ name() { … } }`. */
function isMethod(node) {
  const { parent } = node;
  return (
    parent.type === "Property" &&
    parent.parent.type === "ObjectExpression" &&
    parent.key === node &&
    /Function/u.test(parent.value.type)
  );
}

/** A key of an object: `{ name: 1 }`. */
function isObjectKey({ parent, name }) {
  return (
    parent.type === "Property" &&
    parent.parent.type === "ObjectExpression" &&
    parent.key.name === name &&
    !parent.computed &&
    !parent.shorthand
  );
}

/** `{ name }` or `{ key: name }` in a variable or parameter pattern. */
function isBinding({ parent }) {
  return parent.type === "Property" && parent.parent.type === "ObjectPattern";
}

function isParameter(node) {
  const { params } = node.parent;
  return Array.isArray(params) && params.includes(node);
}

/** The key of the parent node that holds a declared name, by parent type. */
const declaringKeys = {
  AssignmentPattern: "left",
  TSTypeParameter: "name",
  RestElement: "argument",
};

function isDeclared(node) {
  const { parent } = node;
  return (
    (declarations.has(parent.type) && parent.id === node) ||
    (isBinding(node) && parent.value === node) ||
    parent[declaringKeys[parent.type]] === node ||
    parent.type === "ArrayPattern" ||
    isParameter(node) ||
    isMember(node) ||
    isMethod(node) ||
    isObjectKey(node)
  );
}

/** A database column or JSON member in snake_case, or a name in `namedElsewhere`. */
function isNamedElsewhere(node) {
  const isOfObject =
    isMember(node) || isObjectKey(node) || (isBinding(node) && node.parent.shorthand);
  return isOfObject && (node.name.includes("_") || namedElsewhere.has(node.name));
}

/** An alias of a column or table: keywords are in upper case, so prose does not match. */
const sqlAlias = /\b(?:AS|(?:FROM|JOIN|UPDATE)\s+\w+)\s+"?([a-z]\w*)/gu;

export const plainWords = {
  create(context) {
    const check = (node) => {
      const standard = standardNameFor(node.name);
      if (standard !== undefined && isDeclared(node) && !isNamedElsewhere(node)) {
        context.report({ node, message: `Rename ${node.name}: use ${standard}.` });
      }
    };
    const checkSql = (node, text) => {
      for (const [, alias] of text.matchAll(sqlAlias)) {
        const standard = standardNameFor(alias);
        if (standard !== undefined && !alias.includes("_")) {
          context.report({ node, message: `Rename ${alias}: use ${standard}.` });
        }
      }
    };
    return {
      Identifier: check,
      PrivateIdentifier: check,
      Literal: (node) => checkSql(node, String(node.value)),
      TemplateElement: (node) => checkSql(node, node.value.raw),
    };
  },
};
