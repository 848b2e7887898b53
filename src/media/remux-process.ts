/** Child process of `remux-engine.ts`: remuxes one recording, answers, and exits. */
import { Worker } from "node:worker_threads";
import { toError } from "../platform/errors.ts";
import type { RemuxJob, RemuxResult } from "./remux-engine.ts";
import { remux } from "./remux.ts";

/**
 * A malicious recording may keep the event loop busy, so that "disconnect" never comes, and fill
 * memory outside of the heap, which Node does not limit. Hence a thread ends the process when its
 * parent is gone or it needs too much memory.
 */
const watchdog = `
  const { parentPid, maxBytes } = require("node:worker_threads").workerData;
  setInterval(() => {
    if (process.ppid !== parentPid) {
      process.kill(process.pid, "SIGKILL");
    }
    if (process.memoryUsage.rss() > maxBytes) {
      process.kill(process.pid, "SIGABRT");
    }
  }, 100);`;

/** Beside the memory for the recording: the runtime and its code. */
const runtimeMiB = 128;

function watch({ memoryMiB, parentPid }: RemuxJob): void {
  const workerData = { parentPid, maxBytes: (memoryMiB + runtimeMiB) * 1024 ** 2 };
  new Worker(watchdog, { eval: true, workerData }).unref();
}

function answer(result: RemuxResult): void {
  process.send?.(result, () => process.exit(0));
}

// The library awaits no cancellation, which fails if the disk is full. The result follows all the same.
process.on("unhandledRejection", () => undefined);

process.once("message", (job: RemuxJob) => {
  watch(job);
  remux(job).then(
    (isUsable) => answer({ isUsable }),
    (thrown: unknown) => answer({ fault: toError(thrown).message }),
  );
});
