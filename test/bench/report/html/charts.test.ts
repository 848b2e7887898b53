import { expect } from "chai";
import { renderChart, sparkline } from "../../../../bench/report/html/charts.ts";

function widthsOf(html: string): string[] {
  return [...html.matchAll(/<rect x="(?<x>[^"]+)" width="(?<width>[^"]+)"/gu)].map(
    ({ groups }) => `${groups?.["x"]} ${groups?.["width"]}`,
  );
}

describe("charts", () => {
  it("draw bars as shares of the largest", () => {
    const bars = [
      { name: "a", value: 50 },
      { name: "b", value: 200 },
    ];
    const html = renderChart({ kind: "bars", title: "Rates", unit: "per second", bars });
    expect(widthsOf(html)).to.deep.equal(["0% 25%", "0% 100%"]);
  });

  it("stack amounts", () => {
    const bars = [{ name: "a", values: [20, 60, 20] }];
    const names = ["x", "y", "z"];
    const html = renderChart({ kind: "stacked", title: "Costs", unit: "µs", names, bars });
    expect(widthsOf(html)).to.deep.equal(["0% 20%", "20% 60%", "80% 20%"]);
    expect(html).to.include("y: 60 µs");
  });

  it("draw lines from the left to the right edge, 0 at the bottom", () => {
    const points = [
      { x: 5, y: 0 },
      { x: 10, y: 50 },
      { x: 15, y: 100 },
    ];
    const lines = [{ name: "p50", points }];
    const html = renderChart({ kind: "lines", title: "Latency", unit: "ms", xUnit: "s", lines });
    expect(html).to.include('d="M 0 100 L 50 50 L 100 0"');
    expect(html).to.include("<span>5</span><span>15 s</span>");
  });

  it("escape names in results", () => {
    const bars = [{ name: '<b>"&', value: 1 }];
    const html = renderChart({ kind: "bars", title: "<i>", unit: "ms", bars });
    expect(html).to.include("&lt;b&gt;&quot;&amp;").and.include("&lt;i&gt;");
    expect(html).to.not.include("<i>");
  });

  it("show a value over time from two runs on", () => {
    const one = { date: "2026-11-01T10:00:00Z", value: 100 };
    expect(sparkline([one])).to.equal("");
    const html = sparkline([one, { date: "2026-11-02T10:00:00Z", value: 80 }]);
    expect(html).to.include('d="M 3 10 L 97 90"').and.include("2026-11-02: 80");
    expect(sparkline([one, one])).to.include('d="M 3 90 L 97 90"');
  });
});
