/** A minimal PromQL parser that finds the metrics and labels of an expression. */

export type Matcher = { label: string; operator: string; value: string };
export type Selector = { metric: string; matchers: Matcher[] };
export type Expression = {
  selectors: Selector[];
  /** Labels of `by (…)` and `without (…)`. */
  groupings: string[];
  hasAggregation: boolean;
  functions: string[];
};

const tokenPattern =
  /\s+|(?<text>"(?:\\.|[^"\\])*")|(?<range>\[[^\]]*\])|(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?<number>[0-9.]+(?:e[0-9]+)?[smhdwy]?)|(?<operator>=~|!~|!=|==|>=|<=|[-+*/%^<>={}(),])/uy;

type Kind = "text" | "range" | "name" | "number" | "operator";
type Token = { kind: Kind; text: string };

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < expression.length) {
    const start = tokenPattern.lastIndex;
    const groups = tokenPattern.exec(expression)?.groups;
    if (groups === undefined) {
      throw new Error(`Not understood: ${expression.slice(start, start + 30)}`);
    }
    const kind = (Object.keys(groups) as Kind[]).find((name) => groups[name] !== undefined);
    if (kind !== undefined) {
      tokens.push({ kind, text: groups[kind] ?? "" });
    }
  }
  return tokens;
}

const operatorWords = new Set(["and", "or", "unless", "bool", "offset"]);
const groupingWords = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);

/** Consumes the tokens up to and including the closing bracket. */
function takeUntil(tokens: Token[], end: string): Token[] {
  const length = tokens.findIndex(({ text }) => text === end);
  if (length < 0) {
    throw new Error(`No ${end}`);
  }
  return tokens.splice(0, length + 1).slice(0, -1);
}

function readMatchers(tokens: Token[]): Matcher[] {
  const inside = takeUntil(tokens, "}").filter(({ text }) => text !== ",");
  const matchers: Matcher[] = [];
  for (let i = 0; i < inside.length; i += 3) {
    const [label, operator, value] = inside.slice(i, i + 3);
    if (label?.kind !== "name" || operator?.kind !== "operator" || value?.kind !== "text") {
      throw new Error("A matcher is a label, an operator and a text");
    }
    const text = JSON.parse(value.text) as string;
    matchers.push({ label: label.text, operator: operator.text, value: text });
  }
  return matchers;
}

function readName(name: string, tokens: Token[], into: Expression): void {
  const next = tokens[0]?.text;
  if (groupingWords.has(name)) {
    tokens.shift();
    into.groupings.push(
      ...takeUntil(tokens, ")")
        .filter(({ kind }) => kind === "name")
        .map(({ text }) => text),
    );
  } else if (next === "(" || groupingWords.has(next ?? "")) {
    into.functions.push(name);
  } else if (!operatorWords.has(name)) {
    const hasMatchers = next === "{";
    if (hasMatchers) {
      tokens.shift();
    }
    into.selectors.push({ metric: name, matchers: hasMatchers ? readMatchers(tokens) : [] });
  }
}

const aggregations = new Set(["sum", "max", "min", "avg", "count", "topk"]);

/** Throws on syntax that it does not support. */
export function readExpression(expression: string): Expression {
  const tokens = tokensOf(expression);
  const read: Expression = { selectors: [], groupings: [], hasAggregation: false, functions: [] };
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token.kind === "name") {
      readName(token.text, tokens, read);
    } else if (token.text === "{") {
      throw new Error("A selector without the name of its metric");
    }
  }
  return { ...read, hasAggregation: read.functions.some((name) => aggregations.has(name)) };
}
