import { expect } from "chai";
import { renderPage } from "../../../../bench/report/html/page.ts";
import { table } from "../../../../bench/report/table.ts";
import { aPart, aRun, historyOf } from "../../../support/bench-results.ts";

describe("the report of a benchmark", () => {
  it("is one file without external resources", () => {
    const bars = [{ name: "a", value: 1 }];
    const part = aPart({
      tables: [table("Title <1>", ["a", "b"], [["x", 1.25]], ["a note"])],
      charts: [{ kind: "bars", title: "Chart", unit: "ms", bars }],
    });
    const page = renderPage(aRun(1_000, { parts: [part] }), historyOf([900]));
    expect(page).to.not.match(/https?:|\bsrc=|<link|<script|@import|url\(/u);
    expect(page).to.include("Title &lt;1&gt;").and.include("<td>1.3</td>").and.include("a note");
  });

  it("marks what got worse, above all parts", () => {
    const page = renderPage(aRun(900), historyOf([1_000]));
    expect(page).to.include("1 figure got worse by more than 5 %");
    expect(page).to.include("<li>Deliveries per second, backlog of one webhook: −10.0 %</li>");
    expect(page).to.include('class="card is-worse"');
  });

  it("says that nothing got worse, or that there is nothing to compare with", () => {
    expect(renderPage(aRun(1_100), historyOf([1_000]))).to.include("No figure got worse");
    expect(renderPage(aRun(1_100), historyOf([]))).to.include("no comparison");
  });

  it("shows the ratio to the bare loop and the values over time", () => {
    const page = renderPage(aRun(2_500), historyOf([1_000, 2_000]));
    expect(page).to.include("25 % of the bare loop").and.include("The last 3 runs");
  });
});
