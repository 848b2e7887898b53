/** Parses runbook sections: the subset of Markdown that our runbook uses. Pure. */

export type Block =
  | Readonly<{ kind: "text"; text: string }>
  | Readonly<{ kind: "code"; text: string }>
  | Readonly<{ kind: "list"; isOrdered: boolean; items: readonly string[] }>
  | Readonly<{ kind: "table"; head: readonly string[]; rows: readonly (readonly string[])[] }>;

export type RunbookSection = Readonly<{ title: string; blocks: readonly Block[] }>;

const item = /^(?:- |\d+\. )/u;

export type Span = Readonly<{
  kind: "plain" | "strong" | "code" | "link";
  text: string;
  /** Target of a link. */
  target?: string;
}>;

/** The section for an anchor; undefined if there is none. */
export function readSection(markdown: string, anchor: string): RunbookSection | undefined {
  for (const section of markdown.split(/^## /mu).slice(1)) {
    const end = section.indexOf("\n");
    const title = section.slice(0, end);
    if (anchorOf(title) === anchor) {
      return { title, blocks: blocksOf(section.slice(end)) };
    }
  }
  return undefined;
}

/** "Past due" → "past-due", as links name it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/gu, "")
    .replaceAll(" ", "-");
}

function blocksOf(text: string): Block[] {
  return text.split(/^```\w*\n/mu).flatMap((part, at): Block[] =>
    at % 2 === 1
      ? [{ kind: "code", text: part.trimEnd() }]
      : part
          .split(/\n\n+/u)
          .map((block) => block.trim())
          .filter((block) => block !== "")
          .map((block) => blockOf(block.split("\n"))),
  );
}

function blockOf(lines: readonly string[]): Block {
  const [first = ""] = lines;
  if (first.startsWith("|")) {
    const [head = [], , ...rows] = lines.map(cellsOf);
    return { kind: "table", head, rows };
  }
  return item.test(first)
    ? { kind: "list", isOrdered: /^\d/u.test(first), items: itemsOf(lines) }
    : { kind: "text", text: lines.join(" ") };
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split("|")
    .map((cell) => cell.trim());
}

/** Continuation lines of an item are indented. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (item.test(line)) {
      items.push(line.replace(item, ""));
    } else {
      items.push(`${items.pop() ?? ""} ${line.trim()}`);
    }
  }
  return items;
}

const marked = /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)|\b_([^_]+)_\b/gu;

/** Splits a line into text, code and links. */
export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of line.matchAll(marked)) {
    const [whole, strong, code, text, target, slanted] = match;
    if (match.index > from) {
      spans.push({ kind: "plain", text: line.slice(from, match.index) });
    }
    if (strong !== undefined) {
      spans.push({ kind: "strong", text: strong });
    } else if (code !== undefined) {
      spans.push({ kind: "code", text: code });
    } else if (text !== undefined) {
      spans.push({ kind: "link", text, target: target ?? "" });
    } else {
      spans.push({ kind: "plain", text: slanted ?? whole });
    }
    from = match.index + whole.length;
  }
  return from < line.length ? [...spans, { kind: "plain", text: line.slice(from) }] : spans;
}
