/** `npm run check`: all static checks of the code. */
import { spawn } from "node:child_process";
import { once } from "node:events";

type Check = {
  name: string;
  command: readonly string[];
  remedy: string;
  /** Shows the output even if the check passes. */
  isShown?: boolean;
};

const node = process.execPath;

const checks: readonly Check[] = [
  {
    name: "format",
    command: ["node_modules/oxfmt/bin/oxfmt", "--check", "."],
    remedy: "npm run format",
  },
  {
    name: "lint",
    command: ["node_modules/oxlint/bin/oxlint", "--format", "unix"],
    remedy: "npm run lint",
  },
  {
    name: "types",
    command: [
      ...["node_modules/typescript-7/bin/tsc", "--project", ".", "--pretty", "false"],
      ...["--incremental", "--tsBuildInfoFile", ".test/types.tsbuildinfo"],
    ],
    remedy: "npm run types",
  },
  {
    name: "types of the pages",
    command: [
      ...["node_modules/typescript-7/bin/tsc", "--project", "web", "--pretty", "false"],
      ...["--incremental", "--tsBuildInfoFile", ".test/web-types.tsbuildinfo"],
    ],
    remedy: "npm run types",
  },
  {
    name: "pages",
    command: ["bin/program.js", "build-pages", "--check"],
    remedy: "see web/build/pages.ts",
    isShown: true,
  },
  {
    name: "fence",
    command: ["--import", "tsx", "test/run/fence.ts"],
    remedy: "see .dependency-cruiser.cjs",
  },
  {
    name: "dead code",
    command: ["node_modules/knip/bin/knip.js", "--no-progress", "--treat-config-hints-as-errors"],
    remedy: "remove it, or use it",
  },
];

async function run({ name, command, remedy, isShown = false }: Check): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(node, command, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const hasPassed = code === 0;
  process.stdout.write(`${hasPassed ? "✔" : "✘"} ${name} ${seconds} s\n`);
  if (hasPassed && isShown) {
    process.stdout.write(output.replaceAll(/^/gmu, "  ").trimEnd().concat("\n"));
  }
  if (!hasPassed) {
    process.stdout.write(`${output.trimEnd()}\n  → ${remedy}\n\n`);
  }
  return hasPassed;
}

const results = await Promise.all(checks.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
