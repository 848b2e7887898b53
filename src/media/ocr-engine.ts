/**
 * In: a picture. Out: its text. Runs in a process of its own, one per picture: a picture made to
 * break the reader breaks that process only, and after the time limit it is killed.
 */
import { fork, type ChildProcess } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createSemaphore } from "../platform/concurrency/limiters.ts";

export type Rectangle = Readonly<{ left: number; top: number; width: number; height: number }>;

export type OcrOrder = Readonly<{
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
  /** Pictures read at a time. */
  concurrency?: number;
}>;

/** What the other process is told and what it answers. */
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
        let folder: string | undefined;
        try {
          folder = await mkdtemp(join(tmpdir(), "sightline-ocr-"));
          return await readIn(folder, order, timeoutMs);
        } finally {
          order.stream.destroy();
          if (folder !== undefined) {
            await rm(folder, { recursive: true, force: true });
          }
        }
      }),
  };
}

const program = fileURLToPath(new URL("./ocr-process.ts", import.meta.url));

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

async function readIn(
  folder: string,
  { stream, rectangle, signal }: OcrOrder,
  timeoutMs: number,
): Promise<OcrReading> {
  const picture = join(folder, "picture");
  await pipeline(stream, createWriteStream(picture, { mode: 0o600 }), { signal });
  const child = fork(program, {
    execArgv: ["--import", loader],
    env: {}, // it needs none of our secrets
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    killSignal: "SIGKILL",
    // A session of its own: Ctrl-C in the terminal is for us. Ended by it, the picture would count as
    // one without text.
    detached: true,
  });
  let reading: OcrReading = { kind: "unreadable", reason: `no text within ${timeoutMs} ms` };
  child.on("message", (result: OcrResult) => {
    reading =
      "text" in result
        ? { kind: "text", text: result.text }
        : { kind: "unreadable", reason: result.error };
  });
  const job: OcrJob = { folder, picture, rectangle };
  child.send(job, () => undefined);
  await untilExit(child);
  signal.throwIfAborted();
  return reading;
}

/** Killed is an end like any other: what is told then is that there is no text. */
function untilExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => resolve());
    child.on("error", (error) => {
      if (child.pid === undefined) {
        reject(error); // it never was: there is no exit to wait for
      }
    });
  });
}
