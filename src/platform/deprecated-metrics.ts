/** Metrics under their former names and labels, for one version beside the new ones. */
import type { Registry } from "prom-client";

type DeprecatedMetric = Readonly<{
  name: string;
  replacedBy: string;
  /** Pairs of the current and the former label: `name` or `name="value"`. */
  labels?: readonly (readonly [now: string, before: string])[];
}>;

const queueLabel = ['queue="', 'lane="'] as const;

const jobReason = ['reason="job"', 'reason="hint"'] as const;

const deprecatedMetrics: readonly DeprecatedMetric[] = [
  { name: "webhook_swept_total", replacedBy: "webhook_requeued_total", labels: [jobReason] },
  { name: "webhook_outbox_set_aside_rows", replacedBy: "webhook_outbox_dead_rows" },
  { name: "webhook_window_requests", replacedBy: "webhook_concurrency_window_requests" },
  { name: "task_rows", replacedBy: "task_queue_rows", labels: [queueLabel] },
  {
    name: "task_oldest_due_seconds",
    replacedBy: "task_queue_oldest_due_seconds",
    labels: [queueLabel],
  },
  {
    name: "task_duration_seconds",
    replacedBy: "task_run_duration_seconds",
    labels: [queueLabel],
  },
  {
    name: "task_swept_total",
    replacedBy: "task_requeued_total",
    labels: [queueLabel, jobReason],
  },
];

/** The samples of the new metrics under their former names. */
export async function renderDeprecatedMetrics(registry: Registry): Promise<string> {
  const texts = await Promise.all(
    deprecatedMetrics.map(async (metric) =>
      toOldNames(await registry.getSingleMetricAsString(metric.replacedBy), metric),
    ),
  );
  return texts.map((text) => `${text}\n`).join("\n");
}

function toOldNames(text: string, { name, replacedBy, labels = [] }: DeprecatedMetric): string {
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("# HELP ")) {
        return `# HELP ${name} Deprecated: use ${replacedBy}`;
      }
      const renamed = line.replace(replacedBy, name);
      return labels.reduce((result, [now, before]) => result.replace(now, before), renamed);
    })
    .join("\n");
}
