/**
 * `npm run bench`: capacity and cost of the platform, with real processes, a durable Postgres and a
 * real Redis on this machine. Prints tables, compares them with the history, and writes JSON and an
 * HTML report. Fails if a single delivery is lost or duplicated. See `bench/README.md`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readArguments } from "../src/config/environment.ts";
import { compare, tolerance, type ComparedFigure } from "./figures/compare.ts";
import { entryOf, readHistory, record, recordingsOf, type History } from "./figures/history.ts";
import { estimatedSeconds, loadOf, planOf, type Part, type Plan } from "./plan.ts";
import { comparisonTable } from "./report/comparison-table.ts";
import { renderPage } from "./report/html/page.ts";
import { machineLine } from "./report/pipeline-tables.ts";
import { percent, renderText } from "./report/table.ts";
import type { PartRun, Results } from "./results.ts";
import { yardstick } from "./scenarios/bare-loop.ts";
import { deliveryLogSettings } from "./scenarios/delivery-log.ts";
import { statementSettings } from "./scenarios/statements.ts";
import { steps } from "./steps.ts";
import { currentCommit, describeMachine, type Machine } from "./support/machine.ts";
import { startProgress, type Progress } from "./support/progress.ts";
import { runBench, type Bench } from "./support/run-bench.ts";

/**
 * The delivery log is created without durability, but nothing else is measured on that database.
 */
function settingsOf({ parts }: Plan): Record<string, string> {
  return {
    ...(parts.includes("statements") ? statementSettings : {}),
    ...(parts.every((part) => part === "delivery-log") ? deliveryLogSettings : {}),
    ...(parts.every((part) => part === "live") ? { ...deliveryLogSettings, autovacuum: "on" } : {}),
  };
}

/** The duration of the last recorded run with the same load. */
function expectedSeconds(plan: Plan, part: Part, run: { history: History; machine: Machine }) {
  const { history, machine } = run;
  const last = recordingsOf(history, { machine, part, load: loadOf(plan, part) }).at(-1);
  return last?.seconds ?? estimatedSeconds(plan, part);
}

async function runPart(
  part: Part,
  { bench, plan, results }: { bench: Bench; plan: Plan; results: Results },
): Promise<Omit<PartRun, "seconds">> {
  const { measured } = results;
  const before = await yardstick(await bench.openRig());
  const { tables, charts = [] } = await steps[part]({ bench, plan, measured });
  // `throughput` alternates with its own bare loop, which is more accurate than the yardstick
  // before it.
  const own = part === "throughput" ? measured.throughput?.loops["platform"] : undefined;
  const { perSecond, cpuUsPerPost } = own ?? before;
  const bareLoop = { ...before, perSecond, cpuUsPerPost };
  return { part, load: loadOf(plan, part), bareLoop, tables, charts };
}

/** Writes JSON and HTML side by side. Returns their path without the extension. */
async function save(results: Results, history: History): Promise<string> {
  const dir = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(dir, { recursive: true });
  const file = `${dir}${results.startedAt.slice(0, 19).replaceAll(":", "-")}`;
  await writeFile(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(`${file}.html`, renderPage(results, history));
  return file;
}

async function runParts(
  input: { bench: Bench; plan: Plan; results: Results; history: History },
  progress: Progress,
): Promise<ComparedFigure[]> {
  const { plan, results, history } = input;
  const all: ComparedFigure[] = [];
  for (const [index, part] of plan.parts.entries()) {
    progress.begin(index);
    const done = await runPart(part, input);
    results.parts.push({ ...done, seconds: progress.end() });
    done.tables.forEach((one) => progress.print(renderText(one)));
    const compared = compare(done, { ...results, history });
    all.push(...compared);
    if (compared.length > 0) {
      progress.print(renderText(comparisonTable(compared)));
    }
    await save(results, history); // before a later part can fail
  }
  return all;
}

function showOutcome(compared: readonly ComparedFigure[]): string {
  const changes = compared.flatMap(({ change }) => change ?? []);
  const worse = changes.filter((change) => change.isWorse).length;
  if (changes.length === 0) {
    return "Nothing of this load and machine is recorded yet.";
  }
  return worse === 0
    ? `No figure got worse by more than ${percent(tolerance)}.`
    : `${worse} of ${changes.length} figures got worse by more than ${percent(tolerance)}: see "◄ worse".`;
}

const plan = planOf(readArguments());
/** A run that takes much longer than expected hangs. */
const longestMinutes = 10 + plan.parts.reduce((sum, p) => sum + estimatedSeconds(plan, p), 0) / 20;

await runBench(
  async (stackBench) => {
    const history = await readHistory();
    const machine = await describeMachine(stackBench.stack);
    const results: Results = {
      startedAt: new Date().toISOString(),
      command: plan.command,
      commit: await currentCommit(),
      machine,
      parts: [],
      measured: {},
    };
    const planned = plan.parts.map((name) => ({
      name,
      seconds: expectedSeconds(plan, name, { history, machine }),
    }));
    const progress = startProgress(planned, { output: process.stdout });
    const bench = { ...stackBench, print: progress.print };
    bench.print(machineLine(machine));
    const compared = await runParts({ bench, plan, results, history }, progress);
    if (plan.isRecorded) {
      await record(entryOf(results));
    }
    const file = await save(results, history);
    bench.print(`\nEvery delivery arrived exactly once. Written to ${file}.{json,html}`);
    bench.print(showOutcome(compared));
  },
  { settings: settingsOf(plan), longestMinutes },
);
