/**
 * Checks the import directions of `.dependency-cruiser.cjs`, and that every TypeScript file on disk
 * was parsed, with its imports. With an unsupported compiler, the tool parses nothing and reports
 * nothing, which would look like a clean result.
 */
import { execFile } from "node:child_process";
import { listFiles } from "./files.ts";

const roots = ["build", "src", "workers", "migrations", "test", "bench", "web"];
/** With fewer files, the listing of the disk itself is broken. Raise it when the project grows. */
const fewestModules = 200;

type Cruise = {
  modules: { source: string }[];
  summary: {
    totalDependenciesCruised: number;
    violations: {
      rule: { name: string };
      from: string;
      to: string;
      cycle?: { name: string }[];
    }[];
  };
};

async function cruise(): Promise<Cruise> {
  return new Promise((resolve, reject) => {
    const command = "node_modules/dependency-cruiser/bin/dependency-cruise.mjs";
    const args = [command, ...roots, "--output-type", "json"];
    execFile(process.execPath, args, { maxBuffer: 1 << 28 }, (_exit, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as Cruise);
      } catch {
        reject(new Error(stderr || stdout));
      }
    });
  });
}

const { modules, summary } = await cruise();
const seen = new Set(modules.map((module) => module.source));
const onDisk = (await listFiles(roots)).filter((file) => file.endsWith(".ts"));
const faults = summary.violations.map(
  ({ rule, from, to, cycle }) =>
    `${rule.name}: ${from} → ${cycle?.map((step) => step.name).join(" → ") ?? to}`,
);
for (const file of onDisk.filter((path) => !seen.has(path))) {
  faults.push(`not seen by dependency-cruiser: ${file}`);
}
if (onDisk.length < fewestModules || summary.totalDependenciesCruised < onDisk.length) {
  faults.push(
    `saw ${onDisk.length} modules with ${summary.totalDependenciesCruised} imports, ` +
      `which is less than there must be (${fewestModules} modules)`,
  );
}

if (faults.length > 0) {
  process.stdout.write(`${faults.join("\n")}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(
    `${onDisk.length} modules, ${summary.totalDependenciesCruised} imports, all within the fence\n`,
  );
}
