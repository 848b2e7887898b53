/** Grades a connection, with hysteresis. Pure. */
import type { CallQuality } from "../../../src/contracts/room-messages.ts";
import type { Sample } from "./samples.ts";

const order: readonly CallQuality[] = ["good", "fair", "poor"];

/** Of one sample alone. `isVideoSent`: without a picture a small bitrate is enough. */
export function gradeOf(sample: Sample, isVideoSent: boolean): CallQuality {
  const { rttMs = 0, loss } = sample;
  const bitrate = isVideoSent ? (sample.sendableBitrate ?? Infinity) : Infinity;
  if (rttMs > 700 || loss > 0.1 || bitrate < 120_000) {
    return "poor";
  }
  return rttMs > 300 || loss > 0.04 || bitrate < 300_000 ? "fair" : "good";
}

export function worstOf(grades: readonly CallQuality[]): CallQuality {
  return order[Math.max(0, ...grades.map((grade) => order.indexOf(grade)))] ?? "good";
}

export type QualityState = Readonly<{
  quality: CallQuality;
  /** Samples in a row that were worse, or better, than that. */
  worse: number;
  better: number;
}>;

export const initialQuality: QualityState = { quality: "good", worse: 0, better: 0 };

/** Two samples are 4 s. */
const samplesUntilWorse = 2;

/** Five are 10 s: what just got better may get worse again. */
const samplesUntilBetter = 5;

/** Improves one step at a time, worsens immediately. */
export function nextQuality(state: QualityState, grade: CallQuality): QualityState {
  const [from, to] = [order.indexOf(state.quality), order.indexOf(grade)];
  if (to > from) {
    const worse = state.worse + 1;
    return worse >= samplesUntilWorse
      ? { quality: grade, worse: 0, better: 0 }
      : { ...state, worse, better: 0 };
  }
  if (to < from) {
    const better = state.better + 1;
    return better >= samplesUntilBetter
      ? { quality: order[from - 1] ?? "good", worse: 0, better: 0 }
      : { ...state, worse: 0, better };
  }
  return { ...state, worse: 0, better: 0 };
}
