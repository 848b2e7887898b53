import { expect } from "chai";
import { renderPage } from "../../bench/report/html/page.ts";
import { table } from "../../bench/report/table.ts";
import type { Chart } from "../../bench/report/chart.ts";
import { aPart, aRun, historyOf } from "../support/bench-results.ts";
import {
  desktop,
  findBarriers,
  phone,
  screenshot,
  seeFits,
  useBrowser,
} from "../support/browser.ts";

const curve = (factor: number) => ({
  name: `p${factor}`,
  points: Array.from({ length: 60 }, (_, x) => ({ x, y: factor * (2 + Math.sin(x / 4)) })),
});

const charts: Chart[] = [
  {
    ...{ kind: "bars", title: "The pipeline and the bare loop", unit: "per second" },
    bars: [
      { name: "platform, with a name that is longer than a phone is wide", value: 4_812 },
      { name: "bare loop", value: 18_865, isBaseline: true },
    ],
  },
  {
    ...{ kind: "stacked", title: "CPU of a delivery, by process", unit: "µs" },
    names: ["relay", "schedule", "delivery", "postgres", "redis"],
    bars: [{ name: "a backlog", values: [30, 16, 280, 166, 68] }],
  },
  { kind: "lines", title: "Latency", unit: "ms", xUnit: "s", lines: [curve(50), curve(99)] },
];

const wide = table(
  "A table that is wider than a phone",
  Array.from({ length: 14 }, (_, n) => `column ${n}`),
  [Array.from({ length: 14 }, (_, n) => n * 1_000)],
);

describe("the report of a benchmark in a browser", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  const run = aRun(900, { parts: [aPart({ tables: [wide], charts })] });
  const html = renderPage(run, historyOf([800, 1_100, 1_000]));

  for (const colors of ["light", "dark"] as const) {
    for (const [size, viewport] of Object.entries({ desktop, phone })) {
      it(`fits the window and is readable: ${colors}, ${size}`, async () => {
        const page = await browser.open({ colors, viewport });
        await page.setContent(html);
        await page.evaluate(
          "document.querySelectorAll('details').forEach((one) => (one.open = true))",
        );
        await seeFits(page, "the report");
        expect(await findBarriers(page)).to.deep.equal([]);
        await screenshot(page, `bench-report-${colors}-${size}`);
      });
    }
  }

  it("draws lines and bars over the full width of their chart", async () => {
    const page = await browser.open({ viewport: phone });
    await page.setContent(html);
    const share: number[] = await page.evaluate(
      `[...document.querySelectorAll(".chart svg")].map((svg) => {
        const boxes = [...svg.querySelectorAll("rect, path:not(.grid)")].map((one) => one.getBoundingClientRect());
        const right = Math.max(...boxes.map((box) => box.right));
        return (right - svg.getBoundingClientRect().left) / svg.getBoundingClientRect().width;
      })`,
    );
    const rounded = share.map((one) => Number(one.toFixed(2)));
    expect(rounded).to.deep.equal([0.26, 1, 1, 1]);
  });
});
