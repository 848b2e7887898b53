/** How long people had which connection quality, as their pages reported it. */
import { callQualities, type CallQuality } from "../../contracts/room-messages.ts";
import { exactObject, integer } from "../../http/schema.ts";

/** Null: the page reported no quality. */
export type QualityTimes = Readonly<Record<CallQuality, number>> | null;

/** The columns of `participations`, or their sums. */
export type QualityColumns = Readonly<Record<`${CallQuality}_ms`, number | null>>;

export const qualityAnswer = {
  anyOf: [
    exactObject(
      "QualitySeconds",
      ofEach(() => integer),
    ),
    { type: "null" },
  ],
};

export function toQualityTimes(row: QualityColumns): QualityTimes {
  return callQualities.every((quality) => row[`${quality}_ms`] === null)
    ? null
    : ofEach((quality) => row[`${quality}_ms`] ?? 0);
}

/** The times of several participations of one person. */
export function sumQualities(times: readonly QualityTimes[]): QualityTimes {
  const known = times.filter((one) => one !== null);
  return known.length === 0
    ? null
    : ofEach((quality) => known.reduce((sum, one) => sum + one[quality], 0));
}

/** In whole seconds. */
export function presentQuality(times: QualityTimes) {
  return times === null ? null : ofEach((quality) => Math.round(times[quality] / 1_000));
}

function ofEach<T>(valueOf: (quality: CallQuality) => T): Record<CallQuality, T> {
  return { good: valueOf("good"), fair: valueOf("fair"), poor: valueOf("poor") };
}
