/** What was written while a box had no connection. Pure but for what it is given. */
import type { BoxMessage, BoxOpened, Refused } from "../../src/contracts/signalling.ts";
import { askPatiently, later, type Wait } from "./patience.ts";
import type { Thread } from "./thread.ts";

export const pageSize = 50;

export type CatchUpDeps = Readonly<{
  thread: Pick<Thread, "settled">;
  /** Opens the box with what is after an id; the newest where there is none. */
  open(after: number | undefined): Promise<(BoxOpened & { ok: true }) | Refused>;
  /** Each message that was read, known or not. */
  receive(message: BoxMessage): void;
  /** A page was read that may have earlier ones before it. */
  onNewest(messages: readonly BoxMessage[]): void;
  isOver(): boolean;
  wait?: Wait;
}>;

export type CatchUp = Readonly<{
  /** The connection was lost: from here on something may be missed. */
  lose(): void;
  /** Reads everything since, however long that takes. */
  resume(): Promise<void>;
}>;

export const createCatchUp = (deps: CatchUpDeps): CatchUp => {
  const { thread, open, receive, onNewest, isOver, wait = later } = deps;
  /** What is told or sent after the loss must not move it. Undefined while nothing is missed. */
  let from: number | undefined;
  let running: Promise<void> | undefined;

  const lose = (): void => {
    from ??= thread.settled();
  };

  const read = async (): Promise<void> => {
    lose();
    for (let isMore = true; isMore && from !== undefined;) {
      const after = from > 0 ? from : undefined;
      const ack = await askPatiently(
        () => open(after),
        () => !isOver(),
        wait,
      );
      if (!ack.ok) {
        return;
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
};
