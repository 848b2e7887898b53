import { expect } from "chai";
import { createMetrics } from "../../src/platform/metrics.ts";

describe("deprecated metrics", () => {
  const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) => {
    const { text } = await metrics.render();
    return text.split("\n").filter((line) => new RegExp(`^(?:# \\w+ )?${name}\\b`, "u").test(line));
  };

  it("have the values of the new ones, and name the replacement", async () => {
    const metrics = createMetrics();
    metrics.outboxDead.set(3);
    expect(await linesOf(metrics, "webhook_outbox_set_aside_rows")).to.deep.equal([
      "# HELP webhook_outbox_set_aside_rows Deprecated: use webhook_outbox_dead_rows",
      "# TYPE webhook_outbox_set_aside_rows gauge",
      "webhook_outbox_set_aside_rows 3",
    ]);
  });

  it("have the old labels and values", async () => {
    const metrics = createMetrics();
    metrics.taskRequeued.inc({ queue: "media", reason: "job" }, 2);
    metrics.taskRequeued.inc({ queue: "timers", reason: "lease" });
    const lines = await linesOf(metrics, "task_swept_total");
    expect(lines).to.have.lengthOf(2 + 3 * 2);
    expect(lines).to.include.members([
      'task_swept_total{lane="media",reason="hint"} 2',
      'task_swept_total{lane="timers",reason="lease"} 1',
    ]);
  });

  it("have every series of a histogram", async () => {
    const metrics = createMetrics();
    metrics.taskRunDuration.observe({ queue: "media" }, 2);
    expect(await linesOf(metrics, "task_duration_seconds_(?:bucket|sum|count)")).to.include.members(
      [
        'task_duration_seconds_bucket{le="1",lane="media"} 0',
        'task_duration_seconds_bucket{le="2.5",lane="media"} 1',
        'task_duration_seconds_sum{lane="media"} 2',
        'task_duration_seconds_count{lane="media"} 1',
      ],
    );
  });

  it("keep the text valid for a scraper", async () => {
    const { text } = await createMetrics().render();
    expect(text).to.match(/[^\n]\n$/u);
    const types = [...text.matchAll(/^# TYPE (\S+) /gmu)].map(([, name]) => name);
    expect(new Set(types).size).to.equal(types.length);
    for (const line of text.split("\n").filter((one) => one !== "")) {
      expect(line).to.match(/^# (?:HELP|TYPE) \S+ \S|^[a-z_0-9]+(?:\{[^}]*\})? \S+$/u);
    }
  });
});
