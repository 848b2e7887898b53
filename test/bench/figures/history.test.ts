import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { entryOf, readHistory, record, recordingsOf } from "../../../bench/figures/history.ts";
import { partNames } from "../../../bench/plan.ts";
import { figuresOf } from "../../../bench/figures/catalogue.ts";
import { aPart, aRun, historyOf, machine } from "../../support/bench-results.ts";

describe("the history of benchmarks", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bench-history-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("appends a run after those before", async () => {
    const file = join(folder, "history.json");
    await writeFile(file, JSON.stringify(historyOf([1_000])));
    await record(entryOf(aRun(1_234.567_8)), file);
    const { entries } = await readHistory(file);
    expect(entries.map(({ commit }) => commit)).to.deep.equal(["c0", "abc1234567"]);
    expect(entries[1]?.parts.throughput).to.deep.include({ load: "full", seconds: 65 });
  });

  it("keeps the headline figures with four digits", () => {
    const { parts } = entryOf(aRun(1_234.567_8));
    expect(parts.throughput?.figures).to.deep.equal({
      drain: 1_235,
      cpu: 420,
      ...{ "cpu-relay": 20, "cpu-schedule": 10, "cpu-delivery": 200 },
      ...{ "cpu-postgres": 150, "cpu-redis": 40 },
    });
  });

  it("omits missing measurements", () => {
    const { parts } = entryOf(aRun(1_000, { parts: [aPart({ part: "claim" })] }));
    expect(parts).to.have.all.keys("claim");
    expect(parts.claim?.figures).to.deep.equal({});
  });

  it("finds the recordings of a part with the same load, oldest first", () => {
    const history = historyOf([1, 2, 3]);
    history.entries[1]!.parts.throughput!.load = "quick";
    const found = recordingsOf(history, { machine, part: "throughput", load: "full" });
    expect(found.map(({ figures }) => figures["drain"])).to.deep.equal([1, 3]);
    expect(recordingsOf(history, { machine, part: "claim", load: "full" })).to.deep.equal([]);
  });

  it("has only parts and figures that exist in the committed file", async () => {
    const { entries } = await readHistory();
    for (const { parts } of entries) {
      for (const [part, { figures }] of Object.entries(parts)) {
        const known = partNames.find((name) => name === part);
        expect(known, part).to.not.equal(undefined);
        const keys = figuresOf(known!).map(({ key }) => key);
        expect(keys).to.include.members(Object.keys(figures));
      }
    }
  });
});
