import { expect } from "chai";
import { liveColumns, seriesColumns } from "../../../../../web/console/deliveries/live/columns.ts";
import {
  boundsOf,
  readNowSearch,
  refreshMs,
} from "../../../../../web/console/deliveries/live/period.ts";
import type { Bucket, Series } from "../../../../../web/console/deliveries/live/types.ts";

const start = Date.parse("2026-11-22T14:00:00Z");
function at(second: number): string {
  return new Date(start + second * 1_000).toISOString();
}
const latency = { p50: 10, p95: 20, p99: 30 };

function aBucket(second: number, seconds: number): Bucket {
  return {
    ...{ at: at(second), seconds, delivered: 40, failed: 10, retried: 5, dead: 4 },
    ...{ latency_ms: latency, answer_ms: latency },
  };
}

function aSeries(step: number, counted: string | null): Series {
  return {
    ...{ since: at(0), until: at(4 * step), step_seconds: step, webhook: null },
    counted_until: counted,
    data: [0, 1, 2, 3].map((n) => aBucket(n * step, step)),
  };
}

describe("the columns of the live charts", () => {
  /** The known values of a column: [seconds relative to the newest, value]. */
  const known = (buckets: Bucket[], of: "delivered" | "failed" | "dead" | "p99" = "delivered") => {
    const columns = liveColumns(buckets);
    return columns.times.flatMap((time, index) => {
      const value = columns[of][index] ?? null;
      return value === null ? [] : [[time - start / 1_000, Math.round(value * 100) / 100]];
    });
  };

  it("cover five minutes in equal steps, whatever the length of the intervals", () => {
    const second = (n: number): Bucket => ({ ...aBucket(n, 1), delivered: 4, failed: 1, dead: 0 });
    const buckets = [aBucket(10, 10), ...[11, 12, 13, 14, 15].map(second)];
    const { times } = liveColumns(buckets);
    expect(times).to.have.length(60);
    expect(
      new Set(times.slice(1).map((time, before) => time - (times[before] ?? 0))),
    ).to.deep.equal(new Set([5]));
    expect(known(buckets)).to.deep.equal([
      ...[
        [0, 4],
        [5, 4],
        [10, 4],
      ],
    ]);
    expect(known(buckets, "failed")).to.deep.equal([
      [0, 0.6],
      [5, 0.6],
      [10, 1],
    ]);
    expect(known(buckets, "dead")).to.deep.equal([
      [0, 0.4],
      [5, 0.4],
      [10, 0],
    ]);
    expect(known(buckets, "p99")).to.deep.equal([
      [0, 30],
      [5, 30],
      [10, 30],
    ]);
  });

  it("are 0 without events, and a gap only without data", () => {
    const quiet = { ...aBucket(20, 10), delivered: 0, failed: 0, dead: 0 };
    const silent = { ...quiet, latency_ms: { p50: null, p95: null, p99: null } };
    const buckets = [aBucket(10, 10), silent, aBucket(40, 10)];
    expect(known(buckets)).to.deep.equal([
      ...[
        [0, 4],
        [5, 4],
        [10, 0],
        [15, 0],
        [30, 4],
        [35, 4],
      ],
    ]);
    expect(known(buckets, "p99")).to.deep.equal([
      [0, 30],
      [5, 30],
      [30, 30],
      [35, 30],
    ]);
  });

  it("show the current step once half of it is known, extrapolated", () => {
    const begun = (n: number): Bucket => ({ ...aBucket(n, 1), delivered: 8 });
    expect(known([aBucket(10, 10), begun(11), begun(12)])).to.deep.equal([
      [0, 4],
      [5, 4],
    ]);
    expect(known([aBucket(10, 10), begun(11), begun(12), begun(13)])).to.deep.equal([
      ...[
        [0, 4],
        [5, 4],
        [10, 8],
      ],
    ]);
    expect(liveColumns([]).times).to.deep.equal([]);
  });

  it("omit steps that are still being counted", () => {
    expect(seriesColumns(aSeries(10, at(25))).times).to.have.length(2);
    expect(seriesColumns(aSeries(3_600, at(2 * 3_600 + 60))).times).to.have.length(3);
    expect(seriesColumns(aSeries(10, null)).times).to.deep.equal([]);
  });
});

describe("the period of the live charts", () => {
  const now = new Date("2026-11-22T14:00:00Z");

  it("is live if the address names no known period", () => {
    expect(readNowSearch({})).to.deep.equal({});
    expect(readNowSearch({ period: "live", since: at(0) })).to.deep.equal({});
    expect(readNowSearch({ period: "century" })).to.deep.equal({});
  });

  it("is taken from the address if it is valid", () => {
    expect(boundsOf(readNowSearch({ period: "hour" }), now)).to.deep.equal({
      since: "2026-11-22T13:00:00Z",
    });
    const custom = readNowSearch({ period: "custom", since: at(0), until: "nonsense" });
    expect(custom).to.deep.equal({ period: "custom", since: at(0) });
    expect(boundsOf(custom, now)).to.deep.equal({ since: at(0) });
  });

  it("does not refetch a period in the past", () => {
    expect(refreshMs({ period: "custom", since: at(0), until: at(60) })).to.equal(false);
    expect(refreshMs({ period: "hour" })).to.equal(10_000);
  });
});
