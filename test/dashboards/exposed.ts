import { createMetrics } from "../../src/platform/metrics.ts";
import { readExpression } from "./promql.ts";

/** By series name, the labels of all series that `/metrics` can contain. */
export type Exposed = ReadonlyMap<string, ReadonlySet<string>>;

type Registered = { name: string; labelNames: readonly string[] };

function isRegistered(value: unknown): value is Registered {
  return typeof value === "object" && value !== null && "name" in value && "labelNames" in value;
}

/** The series names of a metric: a histogram has three, and none under its own name. */
function seriesOf(name: string, type: string): string[] {
  switch (type) {
    case "histogram":
      return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
    case "summary":
      return [name, `${name}_sum`, `${name}_count`];
    default:
      return [name];
  }
}

/** Added by Prometheus to every series it scrapes. */
const scrapeLabels = ["job", "instance"];

/** Series that Prometheus itself creates. */
const ofPrometheus: readonly string[] = ["up"];

/**
 * All series of the metrics registry: names and types from the rendered text, custom labels from
 * their declarations.
 */
export async function readExposed(): Promise<Exposed> {
  const metrics = createMetrics();
  const { text } = await metrics.render();
  const declared = new Map(
    Object.values<unknown>(metrics)
      .filter(isRegistered)
      .map(({ name, labelNames }) => [name, labelNames]),
  );
  const exposed = new Map<string, ReadonlySet<string>>();
  for (const [, name = "", type = ""] of text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)) {
    const sample = new RegExp(`^${name}\\{(?<labels>[^}]*)\\}`, "mu").exec(text)?.groups?.[
      "labels"
    ];
    const shown = [...(sample ?? "").matchAll(/(\w+)="/gu)].map(([, label = ""]) => label);
    const labels = [...(declared.get(name) ?? shown), ...scrapeLabels];
    for (const series of seriesOf(name, type)) {
      exposed.set(series, new Set(series.endsWith("_bucket") ? [...labels, "le"] : labels));
    }
  }
  ofPrometheus.forEach((name) => exposed.set(name, new Set(scrapeLabels)));
  return exposed;
}

const functions = new Set([
  ...["sum", "max", "min", "rate", "increase", "topk", "abs", "time", "absent"],
  "histogram_quantile",
]);

/** Unknown metrics and labels in an expression, and unknown labels in its legend or text. */
export function faultsOf(
  expression: string,
  exposed: Exposed,
  shownLabels: readonly string[] = [],
): string[] {
  const read = readExpression(expression);
  const faults: string[] = [];
  const known = new Set<string>();
  for (const { metric, matchers } of read.selectors) {
    const labels = exposed.get(metric);
    if (labels === undefined) {
      faults.push(`${metric} is not exposed`);
      continue;
    }
    labels.forEach((label) => known.add(label));
    const strange = matchers.filter(({ label }) => !labels.has(label));
    faults.push(...strange.map(({ label }) => `${metric} has no label ${label}`));
  }
  if (faults.length === 0) {
    const lost = read.groupings.filter((label) => !known.has(label));
    faults.push(...lost.map((label) => `no metric here has a label ${label} to group by`));
    const kept = read.hasAggregation ? new Set(read.groupings) : known;
    const gone = shownLabels.filter((label) => !kept.has(label));
    faults.push(...gone.map((label) => `the label ${label} is shown, and not in the result`));
  }
  const odd = read.functions.filter((name) => !functions.has(name));
  return [...faults, ...odd.map((name) => `${name} is no function in use here`)];
}
