import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { tmpdir } from "node:os";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";

/** The keys of an object and of the objects in it. */
function keysOf(value: unknown): string[] {
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)])
    : [];
}

/** Others are numbers, such as the status of a problem. */
function isIdentifier(key: string): boolean {
  return /^[a-z]/iu.test(key);
}

function camelCase(key: string): string {
  return key.replaceAll(/[^a-z0-9]+(?<first>[a-z0-9])/giu, (_match, first: string) =>
    first.toUpperCase(),
  );
}

const root = path.join(import.meta.dirname, "../..");

type Finding = Readonly<{ message: string; labels: readonly { span: { line: number } }[] }>;

describe("the lint rule plain-words", () => {
  let folder = "";
  before("make a folder with the rule alone", async () => {
    folder = await mkdtemp(path.join(tmpdir(), "plain-words-"));
    const settings = {
      jsPlugins: [path.join(root, ".oxlint/sightline.js")],
      categories: { correctness: "off" },
      rules: { "sightline/plain-words": "error" },
    };
    await writeFile(path.join(folder, "settings.json"), JSON.stringify(settings));
  });
  after("remove the folder", () => rm(folder, { recursive: true }));

  /** The lint messages, ordered by line. */
  async function lint(source: string): Promise<string[]> {
    const file = path.join(folder, "source.ts");
    await writeFile(file, source);
    const words = ["-c", path.join(folder, "settings.json"), "--format", "json", file];
    const oxlint = path.join(root, "node_modules/.bin/oxlint");
    const out = await new Promise<string>((resolve) => {
      execFile(oxlint, words, (_fault, stdout) => resolve(stdout));
    });
    const { diagnostics } = JSON.parse(out) as { diagnostics: readonly Finding[] };
    const lineOf = ({ labels }: Finding): number => labels[0]?.span.line ?? 0;
    return diagnostics
      .toSorted((one, other) => lineOf(one) - lineOf(other))
      .map(({ message }) => message);
  }

  it("reports every kind of declaration, with the standard name", async () => {
    const source = `
      type Told = string;
      function handOut(given: Told): void {}
      const { a: seats, b: [lastMoment] } = x;
      class Desk { #isGood = true; letGo(): void {} }
      type Row = { poison: boolean; enlist(): void };
      return { tell: () => 1, withdraw() {}, learn: one, turnstile: { keeper: 1 } };
    `;
    expect((await lint(source)).map((message) => message.split(":")[0])).to.have.members([
      ...["Rename Told", "Rename handOut", "Rename given", "Rename seats", "Rename lastMoment"],
      ...["Rename isGood", "Rename letGo", "Rename poison", "Rename enlist"],
      ...["Rename tell", "Rename withdraw", "Rename learn", "Rename turnstile", "Rename keeper"],
    ]);
    expect(await lint("const isDear = true;")).to.deep.equal(["Rename isDear: use expensive."]);
  });

  it("reports some words only as whole names", async () => {
    const source = `
      const terms = 1;
      const asking = 2;
      const hasTermsAccepted = isAskingAgain();
      const { isTaken, holes } = x;
      const takenPort = isTakenBy();
    `;
    expect((await lint(source)).map((message) => message.split(":")[0])).to.have.members([
      ...["Rename terms", "Rename asking", "Rename isTaken", "Rename holes"],
    ]);
  });

  it("ignores uses, words with a standard sense, and external names", async () => {
    const source = `
      const heartbeat = events.told(turnstile);
      const lookAhead = { [seat]: 1, tailHint: 2, set_aside: 3, turnstile };
      type Row = { behind_told_at: Date; good: number };
      const { good, given: input } = row;
      const sql = "SELECT e.told AS set_aside, CAST(n AS text) FROM events e";
      const prose = "As told from events, join us as seats are free";
    `;
    expect(await lint(source)).to.deep.equal([]);
  });

  it("reports aliases in SQL", async () => {
    for (const before of ["UPDATE alerts ", "JOIN tasks ", "FROM f() AS ", 'SELECT n AS "']) {
      const found = await lint(`const sql = \`${before}keeper" ... \${rest}\`;`);
      expect(found, before).to.deep.equal(["Rename keeper: use scheduler."]);
    }
  });

  it("finds only words with their usual meaning in the keys of texts", async () => {
    const files = (await listFiles([path.join(root, "web")])).filter((file) =>
      file.endsWith("/texts/en.json"),
    );
    expect(files.length).to.be.above(20);
    const texts = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(file, "utf8")) as object),
    );
    const keys = new Set(texts.flatMap(keysOf).map(camelCase).filter(isIdentifier));
    const source = `return { ${[...keys].map((key) => `${key}: 1`).join(", ")} };`;
    expect((await lint(source)).map((message) => message.split(":")[0])).to.have.members([
      ...["Rename asking", "Rename hint", "Rename mustStay", "Rename stay", "Rename stays"],
    ]);
  });
});
