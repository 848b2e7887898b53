import { expect } from "chai";
import { liveColumns, seriesColumns } from "../../../../../web/console/deliveries/live/columns.ts";
import {
  boundsOf,
  readNowSearch,
  refreshMs,
} from "../../../../../web/console/deliveries/live/period.ts";
import type { Bucket, Series } from "../../../../../web/console/deliveries/live/types.ts";

const start = Date.parse("2026-11-22T14:00:00Z");
const at = (second: number): string => new Date(start + second * 1_000).toISOString();
const latency = { p50: 10, p95: 20, p99: 30 };

const aBucket = (second: number, seconds: number): Bucket => ({
  ...{ at: at(second), seconds, delivered: 40, failed: 10, retried: 5, dead: 4 },
  ...{ latency_ms: latency, answer_ms: latency },
});

const aSeries = (step: number, counted: string | null): Series => ({
  ...{ since: at(0), until: at(4 * step), step_seconds: step, webhook: null },
  counted_until: counted,
  data: [0, 1, 2, 3].map((n) => aBucket(n * step, step)),
});

describe("the columns of the charts", () => {
  it("are a second, whatever the length of a piece, and stack up to all attempts", () => {
    const columns = liveColumns([aBucket(10, 10), aBucket(12, 2)]);
    expect(columns.times).to.deep.equal([start / 1_000 + 10, start / 1_000 + 12]);
    expect(columns.delivered).to.deep.equal([4, 20]);
    expect(columns.failed).to.deep.equal([0.6, 3]);
    expect(columns.dead).to.deep.equal([0.4, 2]);
    expect(columns.p99).to.deep.equal([30, 30]);
  });

  it("have a gap where nothing is known, instead of a line across it", () => {
    const columns = liveColumns([aBucket(10, 10), aBucket(20, 10), aBucket(61, 1), aBucket(62, 1)]);
    expect(columns.times.map((time) => time - start / 1_000)).to.deep.equal([10, 20, 60, 61, 62]);
    expect(columns.delivered).to.deep.equal([4, 4, null, 40, 40]);
    expect(columns.p50).to.deep.equal([10, 10, null, 10, 10]);
  });

  it("leave out steps that are still being counted, which would look like a fall", () => {
    expect(seriesColumns(aSeries(10, at(25))).times).to.have.length(2);
    expect(seriesColumns(aSeries(3_600, at(2 * 3_600 + 60))).times).to.have.length(3);
    expect(seriesColumns(aSeries(10, null)).times).to.deep.equal([]);
  });
});

describe("the period of the charts", () => {
  const now = new Date("2026-11-22T14:00:00Z");

  it("is live where the address says nothing that is known", () => {
    expect(readNowSearch({})).to.deep.equal({});
    expect(readNowSearch({ period: "live", since: at(0) })).to.deep.equal({});
    expect(readNowSearch({ period: "century" })).to.deep.equal({});
  });

  it("asks for what the address says, and only times that are some", () => {
    expect(boundsOf(readNowSearch({ period: "hour" }), now)).to.deep.equal({
      since: "2026-11-22T13:00:00Z",
    });
    const custom = readNowSearch({ period: "custom", since: at(0), until: "nonsense" });
    expect(custom).to.deep.equal({ period: "custom", since: at(0) });
    expect(boundsOf(custom, now)).to.deep.equal({ since: at(0) });
  });

  it("does not ask again for what is over", () => {
    expect(refreshMs({ period: "custom", since: at(0), until: at(60) })).to.equal(false);
    expect(refreshMs({ period: "hour" })).to.equal(10_000);
  });
});
