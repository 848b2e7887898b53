/** Retries transient errors. */
import type { AckError } from "../../src/contracts/signalling.ts";
import { wait } from "../shared/wait.ts";

export type Wait = (waitMs: number) => Promise<void>;

export const retryMs = 5_000;

/** Retries until the answer is final or the caller is gone. */
export async function askWithRetry<Answer extends Readonly<{ ok: boolean }>>(
  ask: () => Promise<Answer | AckError>,
  isWanted: () => boolean,
  pause: Wait = wait,
): Promise<Answer | AckError> {
  let ack = await ask();
  while (!ack.ok && "error" in ack && isTransient(ack.error.kind) && isWanted()) {
    await pause(retryMs);
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
