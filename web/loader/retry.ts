/** Retries transient errors. */
import type { AckError } from "../../src/contracts/signalling.ts";

export type Wait = (waitMs: number) => Promise<void>;

export const delay: Wait = (waitMs) =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs);
  });

export const retryMs = 5_000;

/** Retries until the answer is final or the caller is gone. */
export async function askWithRetry<Answer extends Readonly<{ ok: boolean }>>(
  ask: () => Promise<Answer | AckError>,
  isWanted: () => boolean,
  wait: Wait = delay,
): Promise<Answer | AckError> {
  let ack = await ask();
  while (!ack.ok && "error" in ack && isTransient(ack.error.kind) && isWanted()) {
    await wait(retryMs);
    if (isWanted()) {
      ack = await ask();
    }
  }
  return ack;
}

/** Transient errors. */
const passing = ["rate_limited", "dependency_down", "internal"];

export function isTransient(kind: string): boolean {
  return passing.indexOf(kind) !== -1;
}
