import { expect } from "chai";
import { fillTables, newestOf } from "../../../bench/report/performance-doc.ts";
import { historyOf, machine } from "../../support/bench-results.ts";

const document = `# Title

<!-- figures: throughput -->

old

<!-- end -->

Text.
`;

describe("the document about performance", () => {
  it("gets a table with machine, date and command; the surrounding text is kept", () => {
    const filled = fillTables(document, historyOf([900, 2_500]));
    expect(filled.split("\n")).to.deep.equal([
      ...["# Title", "", "<!-- figures: throughput -->", ""],
      "| Figure                 |           Result | Of the bare loop |",
      "| ---------------------- | ---------------: | ---------------: |",
      "| Backlog of one webhook | 2,500 per second |             25 % |",
      "",
      "Measured on 2026-11-02 at commit c1 with `npm run bench`, on 2 × Test CPU, 8 GB · Node v20.20.0 · " +
        "Postgres 18.4 (fsync on, synchronous_commit on) · load before the start 0.1. " +
        "Load: full. The bare loop made 10,000 requests per second.",
      ...["", "<!-- end -->", "", "Text.", ""],
    ]);
    expect(fillTables(filled, historyOf([900, 2_500]))).to.equal(filled);
  });

  it("prefers a full run to a newer quick one", () => {
    const history = historyOf([1_000, 2_000]);
    history.entries[1]!.parts.throughput!.load = "quick";
    expect(newestOf(history, "throughput")?.entry.commit).to.equal("c0");
    history.entries[0]!.parts.throughput!.load = "quick";
    expect(newestOf(history, "throughput")?.entry.commit).to.equal("c1");
    expect(fillTables(document, history)).to.include("A quick run");
  });

  it("says that other programs used the machine", () => {
    const busy = historyOf([1_000], { machine: { ...machine, loadBefore: 4 } });
    expect(fillTables(document, busy)).to.include("Other programs used the machine");
    expect(fillTables(document, historyOf([1_000]))).to.not.include("Other programs");
  });

  it("has no column for the bare loop if no figure has a ratio to it", () => {
    const history = historyOf([]);
    const figures = { hanging: 1.2, failing: 1.1 };
    const { entries } = historyOf([1_000]);
    const [entry] = entries;
    const { throughput } = entry!.parts;
    history.entries.push({ ...entry!, parts: { isolation: { ...throughput!, figures } } });
    const filled = fillTables("<!-- figures: isolation -->\n<!-- end -->", history);
    expect(filled).to.include("| Figure                       | Result |\n");
  });

  it("has a row per cost, with its processes", () => {
    const history = historyOf([1_000]);
    const cpu = { cpu: 420, "cpu-relay": 20, "cpu-schedule": 10, "cpu-delivery": 200 };
    history.entries[0]!.parts.throughput!.figures = cpu;
    const filled = fillTables("<!-- costs: throughput, latency -->\n<!-- end -->", history);
    expect(filled).to.match(
      /\| Throughput: CPU of a delivery \| 420 \| +20\.0 \| +10\.0 \| +200 \|/u,
    );
  });

  it("names missing measurements, and rejects an unknown part", () => {
    expect(fillTables(document, historyOf([]))).to.include("Not measured yet.");
    expect(() => fillTables("<!-- figures: speed -->\n<!-- end -->", historyOf([]))).to.throw(
      "speed",
    );
  });
});
