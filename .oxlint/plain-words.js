/**
 * plain-words: names that this code base once used for what has a standard name. A reader who knows
 * the field can search for the standard one. Only declarations are reported: uses follow them.
 *
 * Words are the parts of a camelCase name: `heartbeat` is one word and has no `beat` in it. Several
 * words, as in "hand out", have to follow each other.
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

/** The whole name: within a longer one these words are used in their usual sense. */
const standardNamesOfWhole = [
  { old: ["look"], standard: "snapshot, poll or read" },
  { old: ["hint", "hints"], standard: "job" },
  { old: ["terms"], standard: "retentionSettings, or the noun of what is set" },
  { old: ["proof"], standard: "reconciliation, or the noun of what is proved" },
  { old: ["asking"], standard: "the noun of what asks" },
];

/** Properties that are named by something outside of the code, and bindings of them. */
const namedElsewhere = new Map([
  ["terms", "member of the consent in the API"],
  ["good", "member of what `sightline verify --json` prints"],
]);

function wordsOf(name) {
  return name
    .replace(/^[_#$]+/u, "")
    .split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/u)
    .map((word) => word.toLowerCase());
}

/** What to call it instead; undefined where the name is fine. */
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

/** `{ name }` or `{ key: name }` in the place of a variable or parameter. */
function isBinding({ parent }) {
  return parent.type === "Property" && parent.parent.type === "ObjectPattern";
}

function isParameter(node) {
  const { params } = node.parent;
  return Array.isArray(params) && params.includes(node);
}

/** The key of the parent under which the name is declared, by the parent's type. */
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
    isMember(node)
  );
}

/** A column or a member of JSON in snake_case, or one of the list. */
function isNamedElsewhere(node) {
  const isOfObject = isMember(node) || (isBinding(node) && node.parent.shorthand);
  return isOfObject && (node.name.includes("_") || namedElsewhere.has(node.name));
}

export const plainWords = {
  create(context) {
    const check = (node) => {
      const standard = standardNameFor(node.name);
      if (standard !== undefined && isDeclared(node) && !isNamedElsewhere(node)) {
        context.report({ node, message: `Rename ${node.name}: use ${standard}.` });
      }
    };
    return { Identifier: check, PrivateIdentifier: check };
  },
};
