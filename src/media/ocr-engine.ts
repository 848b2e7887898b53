/**
 * In: a picture. Out: its text.
 * Every picture is read in its own process, which is killed after the time limit: a malicious
 * picture can crash only that process.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { withDeadline } from "../platform/concurrency/async.ts";
import { createSemaphore } from "../platform/concurrency/limiters.ts";
import { runChild } from "./child-process.ts";

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

async function readIn(
  folder: string,
  { stream, rectangle, signal }: OcrOrder,
  timeoutMs: number,
): Promise<OcrReading> {
  const picture = join(folder, "picture");
  await pipeline(stream, createWriteStream(picture, { mode: 0o600 }), { signal });
  const job: OcrJob = { folder, picture, rectangle };
  const { result } = await withDeadline(signal, timeoutMs, (limited) =>
    runChild<OcrResult>({ program: "ocr-process", job, signal: limited }),
  );
  signal.throwIfAborted();
  if (result === undefined) {
    return { kind: "unreadable", reason: `no result within ${timeoutMs} ms` };
  }
  return "text" in result
    ? { kind: "text", text: result.text }
    : { kind: "unreadable", reason: result.error };
}
