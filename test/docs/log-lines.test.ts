import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";
import { readPage, tableOf } from "../support/markdown.ts";

type LogCall = { level: string; name: string | undefined; args: string };

/** The text up to the parenthesis that closes the one before `start`. */
function argumentsAt(source: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < source.length; end += 1) {
    depth += { "(": 1, ")": -1 }[source[end] ?? ""] ?? 0;
  }
  return source.slice(start, end - 1);
}

function callsIn(source: string): LogCall[] {
  return [...source.matchAll(/\blog(?:\(\))?\??\.(warn|error|fatal)\(/gu)].map((match) => {
    const args = argumentsAt(source, match.index + match[0].length);
    return { level: match[1] ?? "", name: /["`]([^"`]+)["`]\s*,?\s*$/u.exec(args)?.[1], args };
  });
}

async function readSources(): Promise<string> {
  const files = (await listFiles(["src"])).filter((file) => file.endsWith(".ts"));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

const outagePattern = "${what}_unreachable";

describe("docs/log-lines.md", () => {
  let source = "";
  let calls: LogCall[] = [];
  before("read the calls of the log", async () => {
    source = await readSources();
    calls = callsIn(source);
  });

  /** The names of lines, with `createOutage` resolved. */
  const namedLines = (): string[] => {
    const outages = [...source.matchAll(/createOutage\(log, "([^"]+)"\)/gu)];
    return calls
      .filter(({ name = "" }) => !name.includes(" "))
      .flatMap(({ level, name = "" }) =>
        name === outagePattern
          ? outages.map(([, what]) => `${what}_unreachable ${level}`)
          : [`${name} ${level}`],
      );
  };

  it("has every line of the levels warn, error and fatal, and no other", async () => {
    const rows = tableOf(await readPage("docs/log-lines.md"));
    const listed = rows.map(([name = "", level]) => `${name.replaceAll("`", "")} ${level}`);
    expect(listed).to.have.length.above(50);
    const written = namedLines().filter((line) => !line.startsWith(" "));
    expect(listed).to.deep.equal([...new Set(written)].toSorted());
  });

  it("leaves out only sentences, which say what to do", () => {
    const unnamed = calls.filter(({ name }) => name === undefined).map(({ args }) => args);
    expect(unnamed).to.deep.equal(["warning"]);
    const sentences = calls.filter(({ name }) => name?.includes(" "));
    expect(sentences.map(({ name }) => name?.split(" ")[0])).to.deep.equal(["SUPERADMIN_LOGIN"]);
  });
});
