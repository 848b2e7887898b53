import { readArguments } from "../config/environment.ts";
import { exitCodeOf, listenForStop } from "../platform/signals.ts";
import { run } from "./program.ts";
import { createSystemShell } from "./system-shell.ts";

/** The command line as a process. The first Ctrl-C tidies up and ends it, the second ends it. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  const stopListening = listenForStop(process, {
    onStop: () => stop.abort(),
    onAgain: (signal) => process.exit(exitCodeOf(signal)),
  });
  // Whoever reads the output may have had enough: `sightline events tail | head`.
  process.stdout.on("error", () => stop.abort());
  process.exitCode = await run(createSystemShell(stop.signal), readArguments());
  stopListening();
}
