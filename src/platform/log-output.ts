/**
 * In: text. Out: the same text at a file descriptor, in order.
 * Guarantee: a full disk, or a reader that is gone, neither ends the process nor keeps it from ending,
 * and a slow reader does not fill its memory. What cannot be written is dropped, and counted.
 */
import { write, writeSync } from "node:fs";
import { withTimeout } from "./concurrency/async.ts";
import { errorCodeOf } from "./errors.ts";

export type LogOutput = {
  /** One or more whole lines. */
  write(text: string): void;
};

export type LogOutputOptions = {
  fd: number;
  /** Called with the number of dropped texts as soon as something can be written again. */
  onLost?: (count: number) => void;
  /** Called once, when the reader is gone. From then on, everything is dropped. */
  onReaderGone?: () => void;
};

/** Beyond that, text is dropped. */
const maxWaitingChars = 1_048_576;

const retryMs = 1_000;

/** The waits for a pipe that is full and does not block. A reader in time empties it in less than the first. */
const fullPipeMs = { first: 1, last: 50 } as const;

/** How long a process that ends waits for a reader that reads nothing. */
const flushMs = 1_000;

/** How long it writes to a slow reader. Then only the last lines follow, which say why it ends. */
const slowFlushMs = 3_000;

/** What a pipe takes whole or not at all: PIPE_BUF of Linux. */
const pieceBytes = 4_096;

type Ending = {
  /** Resolves when no write is under way. */
  untilPaused: () => Promise<void>;
  /** Writes at once what is left. */
  flush: () => void;
};

const endings = new Set<Ending>();

/** From then on no output starts a write in the background. */
let isEnding = false;

/**
 * Writes in the background; what is left when the process ends is written then. One for each
 * descriptor: two would cut each other's lines.
 */
export function createLogOutput({ fd, onLost, onReaderGone }: LogOutputOptions): LogOutput {
  openStream(fd);
  const waiting = createWaitingText();
  let sending: Buffer | undefined;
  let state: "idle" | "planned" | "writing" | "gone" = "idle";
  let underWay: Promise<void> | undefined;
  let waitMs: number = fullPipeMs.first;

  const send = (): void => {
    if (isEnding) {
      state = "planned"; // for the flush
      return;
    }
    const bytes = (sending ??= waiting.take());
    if (bytes === undefined) {
      state = "idle";
      return;
    }
    state = "writing";
    underWay = new Promise((resolve) => {
      write(fd, bytes, 0, endOfPiece(bytes, 0), null, (error, count) => {
        if (error === null) {
          waitMs = fullPipeMs.first;
          sending = count < bytes.length ? bytes.subarray(count) : undefined;
          waiting.reportLost(onLost);
          send();
        } else {
          fail(errorCodeOf(error));
        }
        resolve();
      });
    });
  };

  const fail = (code: string | undefined): void => {
    if (code === "EPIPE") {
      state = "gone";
      sending = undefined;
      waiting.take();
      onReaderGone?.();
      return;
    }
    state = "planned";
    // It does not keep a process alive that has nothing else to do.
    setTimeout(send, code === "EAGAIN" ? waitMs : retryMs).unref();
    waitMs = longerWaitMs(waitMs);
  };

  const flush = (): void => {
    const unsent = state === "writing" ? undefined : sending;
    printTo(fd, Buffer.concat([unsent, waiting.take()].filter((bytes) => bytes !== undefined)));
  };

  const ending: Ending = { flush, untilPaused: async () => underWay };

  return {
    write: (text) => {
      if (state !== "gone") {
        waiting.add(text);
      }
      if (state === "idle") {
        state = "planned";
        setImmediate(send);
        flushAtExit(ending);
      }
    },
  };
}

/** A bounded amount of text, and the number of texts that were too many. */
function createWaitingText() {
  let texts: string[] = [];
  let chars = 0;
  let lost = 0;
  return {
    add: (text: string): void => {
      if (chars + text.length > maxWaitingChars) {
        lost += 1;
        return;
      }
      texts.push(text);
      chars += text.length;
    },
    take: (): Buffer | undefined => {
      const bytes = texts.length === 0 ? undefined : Buffer.from(texts.join(""));
      texts = [];
      chars = 0;
      return bytes;
    },
    reportLost: (report: LogOutputOptions["onLost"]): void => {
      const count = lost;
      lost = 0;
      if (count > 0) {
        report?.(count);
      }
    },
  };
}

function longerWaitMs(waitMs: number): number {
  return Math.min(2 * waitMs, fullPipeMs.last);
}

function flushAtExit(ending: Ending): void {
  if (endings.size === 0) {
    process.once("exit", () => endings.forEach(({ flush }) => flush()));
  }
  endings.add(ending);
}

/**
 * Ends the process when no write is under way, after a second at most: nobody would know how much of
 * it was written, and what is left might come before it.
 */
export async function endProcess(code: number): Promise<void> {
  isEnding = true;
  const paused = Promise.all([...endings].map(async ({ untilPaused }) => untilPaused()));
  await withTimeout(paused, flushMs, "log").catch(() => undefined);
  process.exit(code);
}

/**
 * If it is a pipe, Node makes it non-blocking as it opens its stream. Else a write to one that is full
 * would block a thread, and the end of the process waits for its threads.
 */
function openStream(fd: number): void {
  if (fd === 1 || fd === 2) {
    void (fd === 1 ? process.stdout : process.stderr);
  }
}

/**
 * The end of the whole lines that begin at `start` and fit into a piece, at least one: processes that
 * share a pipe never cut each other's lines, and a full pipe cuts none.
 */
function endOfPiece(bytes: Buffer, start: number): number {
  const most = start + pieceBytes;
  if (most >= bytes.length) {
    return bytes.length;
  }
  const end = bytes.lastIndexOf("\n", most - 1) + 1;
  return end > start ? end : bytes.indexOf("\n", most) + 1 || bytes.length;
}

/**
 * Writes at once, and gives up if that is not possible. If the reader is slow, lines in the middle are
 * left out. Also for messages to a person at the terminal.
 */
export function printTo(fd: number, text: string | Buffer): void {
  openStream(fd);
  const slowAtMs = performance.now() + slowFlushMs;
  const bytes = Buffer.from(text);
  let start = 0;
  while (start < bytes.length) {
    if (performance.now() > slowAtMs) {
      start = Math.max(start, startOfLastPiece(bytes));
    }
    const end = endOfPiece(bytes, start);
    if (!writePiece(fd, bytes.subarray(start, end))) {
      return;
    }
    start = end;
  }
}

function startOfLastPiece(bytes: Buffer): number {
  return bytes.indexOf("\n", bytes.length - pieceBytes) + 1;
}

/** False if it was not written, or not all of it. */
function writePiece(fd: number, piece: Buffer): boolean {
  const endsAtMs = performance.now() + flushMs;
  let waitMs: number = fullPipeMs.first;
  let rest = piece;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (thrown) {
      if (errorCodeOf(thrown) !== "EAGAIN" || performance.now() > endsAtMs) {
        return false;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
      waitMs = longerWaitMs(waitMs);
    }
  }
  return true;
}
