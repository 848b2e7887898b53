import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { tmpdir } from "node:os";
import { expect } from "chai";

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
      return { tell: () => 1, withdraw() {}, learn: one };
    `;
    expect((await lint(source)).map((message) => message.split(":")[0])).to.have.members([
      ...["Rename Told", "Rename handOut", "Rename given", "Rename seats", "Rename lastMoment"],
      ...["Rename isGood", "Rename letGo", "Rename poison", "Rename enlist"],
      ...["Rename tell", "Rename withdraw"],
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
      const lookAhead = { seat: 1, hint: 2 };
      type Row = { behind_told_at: Date; good: number };
      const { good, given: input } = row;
    `;
    expect(await lint(source)).to.deep.equal([]);
  });
});
