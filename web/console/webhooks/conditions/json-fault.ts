/**
 * Finds the position of a JSON syntax error, because engines report it differently or not at all.
 * Pure.
 */

export type JsonFault = Readonly<{
  line: number;
  column: number;
  /** The unexpected character; undefined at the end of the text. */
  found: string | undefined;
}>;

class Stopped extends Error {
  readonly at: number;

  constructor(at: number) {
    super("not JSON");
    this.at = at;
  }
}

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/uy;
const blank = /[ \t\n\r]*/uy;
const stringBody = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy; // oxlint-disable-line no-control-regex -- JSON forbids them

/** Parses a value at `at` and returns its end. Throws if invalid. */
function createReader(text: string) {
  const match = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at;
    return at + (pattern.exec(text)?.[0].length ?? 0);
  };
  const skip = (at: number): number => match(blank, at);
  const expect = (at: number, sign: string): number => {
    if (text[at] !== sign) {
      throw new Stopped(at);
    }
    return at + 1;
  };
  const readString = (at: number): number => {
    expect(at, '"');
    return expect(match(stringBody, at), '"');
  };
  const readMember = (at: number): number => readValue(expect(skip(readString(at)), ":"));
  const readList = (start: number, end: string, readItem: (at: number) => number): number => {
    let at = skip(start + 1);
    if (text[at] === end) {
      return at + 1;
    }
    for (;;) {
      at = skip(readItem(at));
      if (text[at] !== ",") {
        return expect(at, end);
      }
      at = skip(at + 1);
    }
  };
  const readValue = (start: number): number => {
    const at = skip(start);
    switch (text[at]) {
      case "{":
        return readList(at, "}", readMember);
      case "[":
        return readList(at, "]", readValue);
      case '"':
        return readString(at);
      default: {
        const end = match(literal, at);
        if (end === at) {
          throw new Stopped(at);
        }
        return end;
      }
    }
  };
  return { readValue, skip };
}

/** undefined for valid JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  const { readValue, skip } = createReader(text);
  const offset = (): number | undefined => {
    try {
      const end = skip(readValue(0));
      return end === text.length ? undefined : end;
    } catch (thrown) {
      if (thrown instanceof Stopped) {
        return thrown.at;
      }
      throw thrown;
    }
  };
  const at = offset();
  if (at === undefined) {
    return undefined;
  }
  const before = text.slice(0, at).split("\n");
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    found: text.slice(at).trim() === "" ? undefined : text.slice(at, at + 1),
  };
}
