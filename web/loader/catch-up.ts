/** What was written while a box had no connection. Pure but for what it is given. */
import type { BoxMessage, BoxOpened, AckError } from "../../src/contracts/signalling.ts";
import { retryMs, isTransient, delay, type Wait } from "./retry.ts";
import type { Thread } from "./thread.ts";

export const pageSize = 50;

export type CatchUpDeps = Readonly<{
  thread: Pick<Thread, "settled">;
  /** Opens the box with what is after an id; the newest where there is none. */
  open(after: number | undefined): Promise<(BoxOpened & { ok: true }) | AckError>;
  /** Each message that was read, known or not. */
  receive(message: BoxMessage): void;
  /** A page was read that may have earlier ones before it. */
  onNewest(messages: readonly BoxMessage[]): void;
  isOver(): boolean;
}>;

export type CatchUp = Readonly<{
  /** The connection was lost: from here on something may be missed. */
  lose(): void;
  /** Reads everything since. False where the platform cannot answer now: call it again, later. */
  resume(): Promise<boolean>;
}>;

type Resumed = Pick<CatchUp, "resume">;

/**
 * All boxes after a lost connection, until each has what it missed. One after the other: many at
 * once would be too many. One that cannot be answered now holds up no other.
 */
export async function catchUpAll(
  boxes: readonly Resumed[],
  isWanted: () => boolean,
  wait: Wait = delay,
): Promise<void> {
  let left = boxes;
  while (left.length > 0 && isWanted()) {
    const again: Resumed[] = [];
    for (const box of left) {
      if (isWanted() && !(await box.resume())) {
        again.push(box);
      }
    }
    left = again;
    if (left.length > 0) {
      await wait(retryMs);
    }
  }
}

export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { thread, open, receive, onNewest, isOver } = deps;
  /** What is told or sent after the loss must not move it. Undefined while nothing is missed. */
  let from: number | undefined;
  let running: Promise<boolean> | undefined;

  const lose = (): void => {
    from ??= thread.settled();
  };

  const read = async (): Promise<boolean> => {
    lose();
    for (let isMore = true; isMore && from !== undefined && !isOver();) {
      const after = from > 0 ? from : undefined;
      const ack = await open(after);
      if (!ack.ok) {
        return !isTransient(ack.error.kind);
      }
      const { messages } = ack;
      messages.forEach(receive);
      if (after === undefined) {
        onNewest(messages);
      }
      from = messages.length === 0 ? from : messages[messages.length - 1]?.id;
      isMore = after !== undefined && messages.length >= pageSize;
    }
    from = undefined;
    return true;
  };

  return {
    lose,
    resume: () => {
      running ??= read().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
