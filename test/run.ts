/** Runs single test files with everything they need: `npm run test:file -- <file> …`. */
import { runMocha } from "./run/mocha.ts";
import { startServers } from "./run/servers.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const [mode, ...files] = process.argv.slice(2);
if (mode !== "file") throw new Error("not yet");
const servers = await startServers(say);
try {
  const counts = await runMocha({ args: files, env: servers.env });
  say(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
} finally {
  await servers.stop();
}
