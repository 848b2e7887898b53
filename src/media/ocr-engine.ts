/**
 * In: a picture. Out: its text.
 * Every picture is read in its own process, which is killed after the time limit: a malicious
 * picture can crash only that process.
 */
import { fork, type ChildProcess } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { withDeadline } from "../platform/concurrency/async.ts";
import { createSemaphore } from "../platform/concurrency/limiters.ts";

export type Rectangle = Readonly<{ left: number; top: number; width: number; height: number }>;

export type OcrOrder = Readonly<{
  /** The caller closes it. */
  stream: Readable;
  rectangle: Rectangle | undefined;
  signal: AbortSignal;
}>;

export type OcrReading =
  | Readonly<{ kind: "text"; text: string }>
  | Readonly<{ kind: "unreadable"; reason: string }>;

export type OcrEngine = { read(order: OcrOrder): Promise<OcrReading> };

export type OcrEngineOptions = Readonly<{
  timeoutMs?: number;
  /** Pictures read concurrently. */
  concurrency?: number;
}>;

/** The messages between the two processes. */
export type OcrJob = Readonly<{
  folder: string;
  picture: string;
  rectangle: Rectangle | undefined;
}>;

export type OcrResult = Readonly<{ text: string } | { error: string }>;

export function createOcrEngine({
  timeoutMs = 30_000,
  concurrency = availableParallelism(),
}: OcrEngineOptions = {}): OcrEngine {
  const slots = createSemaphore(concurrency);
  return {
    read: (order) =>
      slots.run(async () => {
        const folder = await mkdtemp(join(tmpdir(), "sightline-ocr-"));
        try {
          return await readIn(folder, order, timeoutMs);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
  };
}

const launcher = fileURLToPath(new URL("../../bin/program.js", import.meta.url));

async function readIn(
  folder: string,
  { stream, rectangle, signal }: OcrOrder,
  timeoutMs: number,
): Promise<OcrReading> {
  const picture = join(folder, "picture");
  await pipeline(stream, createWriteStream(picture, { mode: 0o600 }), { signal });
  const job: OcrJob = { folder, picture, rectangle };
  const result = await withDeadline(signal, timeoutMs, (limited) => runProcess(job, limited));
  signal.throwIfAborted();
  if (result === undefined) {
    return { kind: "unreadable", reason: `no result within ${timeoutMs} ms` };
  }
  return "text" in result
    ? { kind: "text", text: result.text }
    : { kind: "unreadable", reason: result.error };
}

/** Undefined if the process was killed, or ended without a result. */
async function runProcess(job: OcrJob, signal: AbortSignal): Promise<OcrResult | undefined> {
  const child = fork(launcher, ["ocr-process"], {
    execArgv: [],
    env: {}, // no secrets for the child process
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal,
    killSignal: "SIGKILL",
    // Its own session: Ctrl-C in the terminal must not reach it, because a killed process would
    // count as a picture without text.
    detached: true,
  });
  let result: OcrResult | undefined;
  child.on("message", (message: OcrResult) => {
    result = message;
  });
  child.send(job, () => undefined);
  await untilExit(child);
  return result;
}

/** Resolves for a killed process as well: it counts as a picture without text. */
function untilExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => resolve());
    child.on("error", (error) => {
      if (child.pid === undefined) {
        reject(error); // the process did not start, so there is no exit event
      }
    });
  });
}
