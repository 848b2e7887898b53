import { expect } from "chai";
import {
  secondsLeft,
  showProgress,
  showSeconds,
  startProgress,
} from "../../../bench/support/progress.ts";

const parts = [
  { name: "throughput", seconds: 100 },
  { name: "latency", seconds: 60 },
  { name: "api", seconds: 30 },
];

describe("the progress of a benchmark", () => {
  it("formats times like a clock", () => {
    expect([0, 65, 3_730].map(showSeconds)).to.deep.equal(["0:00", "1:05", "1:02:10"]);
  });

  it("names the part, its number, the time so far and what is left", () => {
    const state = { parts, index: 1, elapsed: 110, ofPart: 20 };
    expect(showProgress(state)).to.equal("[2/3] latency · elapsed 1:50 · about 1:10 left");
  });

  it("never shows a negative remaining time", () => {
    expect(secondsLeft({ parts, index: 1, elapsed: 300, ofPart: 200 })).to.equal(30);
  });

  it("writes and measures a line per part without a terminal", () => {
    let text = "";
    let clock = 0;
    const output = { isTTY: false, write: (more: string) => (text += more) };
    const progress = startProgress(parts, { output, now: () => clock });
    progress.begin(0);
    clock = 90_000;
    expect(progress.end()).to.equal(90);
    progress.begin(1);
    progress.print("a table");
    expect(text.trim().split(/\n+/u)).to.deep.equal([
      "[1/3] throughput · elapsed 0:00 · about 3:10 left",
      "[2/3] latency · elapsed 1:30 · about 1:30 left",
      "a table",
    ]);
  });

  it("keeps a status line below the terminal output", () => {
    let text = "";
    let clock = 0;
    const output = { isTTY: true, write: (more: string) => (text += more) };
    const progress = startProgress(parts, { output, now: () => clock });
    progress.begin(2);
    text = "";
    clock = 10_000;
    progress.print("a line");
    const status = "[3/3] api · elapsed 0:10 · about 0:20 left";
    expect(text).to.equal(`\r\u001B[Ka line\n\r\u001B[K${status}`);
    progress.end();
    expect(text.endsWith("\r\u001B[K")).to.equal(true);
  });
});
