/** What is refused for the moment only is asked again. */
import type { Refused } from "../../src/contracts/signalling.ts";

export type Wait = (waitMs: number) => Promise<void>;

export const later: Wait = (waitMs) =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs);
  });

export const againMs = 5_000;

/** Asks until there is an answer that stays, or nobody wants one any more. */
export async function askPatiently<Answer extends Readonly<{ ok: boolean }>>(
  ask: () => Promise<Answer | Refused>,
  isWanted: () => boolean,
  wait: Wait = later,
): Promise<Answer | Refused> {
  let ack = await ask();
  while (!ack.ok && "error" in ack && isPassing(ack.error.kind) && isWanted()) {
    await wait(againMs);
    if (isWanted()) {
      ack = await ask();
    }
  }
  return ack;
}

/** These pass by themselves. */
const passing = ["rate_limited", "dependency_down", "internal"];

export function isPassing(kind: string): boolean {
  return passing.indexOf(kind) !== -1;
}
