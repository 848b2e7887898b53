/** Fetches messages missed while a box was disconnected. Pure except for its dependencies. */
import type { BoxMessage, BoxOpened, AckError } from "../../src/contracts/signalling.ts";
import { wait } from "../shared/wait.ts";
import { retryMs, isTransient, type Wait } from "./retry.ts";
import type { Thread } from "./thread.ts";

export const pageSize = 50;

export type CatchUpDeps = Readonly<{
  thread: Pick<Thread, "settled">;
  /** Opens the box with the messages after an id; the newest if undefined. */
  open(after: number | undefined): Promise<(BoxOpened & { ok: true }) | AckError>;
  /** Called for each fetched message, known or not. */
  receive(message: BoxMessage): void;
  /** Called for a page that may have earlier ones before it. */
  onNewest(messages: readonly BoxMessage[]): void;
  isOver(): boolean;
}>;

export type CatchUp = Readonly<{
  /** Marks the connection as lost: later messages may be missed. */
  lose(): void;
  /** Fetches everything since the loss. Returns false if it must be retried later. */
  resume(): Promise<boolean>;
}>;

type Resumed = Pick<CatchUp, "resume">;

/**
 * Resumes all boxes after a reconnect, until each is complete. Sequential, to limit the load; a
 * failing box does not block the others.
 */
export async function catchUpAll(
  boxes: readonly Resumed[],
  isWanted: () => boolean,
  pause: Wait = wait,
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
      await pause(retryMs);
    }
  }
}

export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { thread, open, receive, onNewest, isOver } = deps;
  /** Messages after the loss must not move this position. undefined while connected. */
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
