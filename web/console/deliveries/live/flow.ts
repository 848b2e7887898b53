/** Rates the overall success of deliveries. Pure. */
import type { LiveView } from "./types.ts";

const manyFail = 0.5;
const someFail = 0.05;

type Flow = Readonly<{
  meaning: "good" | "neutral" | "warn" | "bad";
  word: "quiet" | "flowing" | "fail";
  /** Share of the attempts, from 0 to 1. */
  share: number;
}>;

/** The rating and the share of failures. Healthy means no failures at all. */
export function assessFlow(view: LiveView): Flow {
  const { delivered_per_second: delivered, failed_per_second: failed } = view;
  if (delivered + failed === 0) {
    return { meaning: "neutral", word: "quiet", share: 0 };
  }
  const share = failed / (delivered + failed);
  if (share === 0) {
    return { meaning: "good", word: "flowing", share };
  }
  if (share < someFail) {
    return { meaning: "neutral", word: "fail", share };
  }
  return { meaning: share < manyFail ? "warn" : "bad", word: "fail", share };
}
