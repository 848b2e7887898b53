import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";

/**
 * Required share of covered lines in percent, by folder. Raise it when coverage grows; never lower
 * it.
 */
const floors: Readonly<Record<string, number>> = { src: 95, "src/pipeline": 95 };

/** By file, the statements, of which c8 makes one per line, and their counts. */
type Report = Record<
  string,
  { statementMap: Record<string, { start: { line: number } }>; s: Record<string, number> }
>;

const rawDir = ".test/coverage";
/**
 * Mocha compiles a file differently from a process that starts it. Coverage of both can only be
 * merged after it was mapped to the source, so each kind is reported separately.
 */
const kinds = ["mocha", "processes"] as const;
type Kind = (typeof kinds)[number];

async function sortRaw(): Promise<void> {
  for (const kind of kinds) {
    await mkdir(join(rawDir, kind), { recursive: true });
  }
  const files = (await readdir(rawDir)).filter((file) => file.endsWith(".json"));
  for (const file of files) {
    const isMocha = (await readFile(join(rawDir, file), "utf8")).includes("/mocha/lib/");
    await rename(join(rawDir, file), join(rawDir, isMocha ? "mocha" : "processes", file));
  }
}

async function readReport(kind: Kind): Promise<Report> {
  const reportsDir = join("coverage", kind);
  await promisify(execFile)(process.execPath, [
    ...["node_modules/c8/bin/c8.js", "report", "--temp-directory", join(rawDir, kind)],
    ...["--reports-dir", reportsDir],
  ]);
  return JSON.parse(await readFile(join(reportsDir, "coverage-final.json"), "utf8")) as Report;
}

type Lines = Map<number, boolean>;

/** By file, each line and whether any report covers it. */
function mergeLines(reports: readonly Report[]): Map<string, Lines> {
  const merged = new Map<string, Lines>();
  for (const [file, { statementMap, s }] of reports.flatMap((report) => Object.entries(report))) {
    const lines: Lines = merged.get(file) ?? new Map<number, boolean>();
    for (const [id, { start }] of Object.entries(statementMap)) {
      lines.set(start.line, lines.get(start.line) === true || (s[id] ?? 0) > 0);
    }
    merged.set(file, lines);
  }
  return merged;
}

/** Whether a file contains only types: it compiles to nothing, so no line can be covered. */
async function isTypesOnly(file: string): Promise<boolean> {
  const { code } = await transform(await readFile(file, "utf8"), { loader: "ts" });
  return code.trim() === "";
}

async function withoutTypes(merged: Map<string, Lines>): Promise<Map<string, Lines>> {
  const kept = await Promise.all(
    [...merged].map(async ([file, lines]) => ((await isTypesOnly(file)) ? [] : [[file, lines]])),
  );
  return new Map(kept.flat() as [string, Lines][]);
}

function shareOf(merged: ReadonlyMap<string, Lines>, folder: string): number {
  const lines = [...merged]
    .filter(([file]) => relative(process.cwd(), file).startsWith(`${folder}/`))
    .flatMap(([, ofFile]) => [...ofFile.values()]);
  return lines.length === 0 ? 0 : (100 * lines.filter(Boolean).length) / lines.length;
}

/** Prints the coverage. Returns whether all folders reach their floor. */
export async function reportCoverage(say: (line: string) => void): Promise<boolean> {
  await sortRaw();
  const reports: Report[] = [];
  for (const kind of kinds) {
    reports.push(await readReport(kind));
  }
  const merged = await withoutTypes(mergeLines(reports));
  say("\n── coverage of lines (by file: coverage/mocha/index.html, coverage/processes/index.html)");
  const verdicts = Object.entries(floors).map(([folder, floor]) => {
    const share = shareOf(merged, folder);
    const isEnough = share >= floor;
    say(`${isEnough ? "✔" : "✘"} ${folder} ${share.toFixed(1)} % (at least ${floor} %)`);
    return isEnough;
  });
  return verdicts.every(Boolean);
}
