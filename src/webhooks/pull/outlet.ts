import { Readable } from "node:stream";

/** What a loop writes into and a client reads from, at the client's pace. */
export type Outlet = {
  stream: Readable;
  /** Resolves when there is room for more, or when it is over: a slow client holds up the loop. */
  write(text: string): Promise<void>;
  /** No more is written. What the client does not take within a moment is dropped. */
  end(): void;
};

const bufferedBytes = 64 * 1024;
const lastMomentMs = 2_000;

/** `onGone` is called when the client went away, or everything was read. */
export function createOutlet(over: AbortSignal, onGone: () => void): Outlet {
  let resume: (() => void) | undefined;
  const go = (): void => {
    resume?.();
    resume = undefined;
  };
  const stream = new Readable({
    highWaterMark: bufferedBytes,
    read: go,
    destroy: (error, done) => {
      go();
      done(error);
    },
  });
  stream.once("close", onGone);
  over.addEventListener("abort", go);
  return {
    stream,
    write: async (text) => {
      if (over.aborted || stream.destroyed || stream.push(text)) {
        return;
      }
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    },
    end: () => {
      if (stream.destroyed) {
        return;
      }
      stream.push(null);
      const timer = setTimeout(() => stream.destroy(), lastMomentMs);
      stream.once("close", () => clearTimeout(timer));
    },
  };
}
