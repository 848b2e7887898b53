/** Parses retry schedules: `10s, 1m, 2h`. Pure. */

const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

type Unit = keyof typeof seconds;

export type ScheduleFault = "format" | "count" | "range" | "total";

/** The default retry schedule: a copy of `defaultSchedule` in `src/pipeline/delivery/retry-policy.ts`. */
export const defaultSchedule: readonly number[] = [
  ...[5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
];

const units: readonly Unit[] = ["d", "h", "m", "s"];

export function durationsText(durations: readonly number[]): string {
  return durations
    .map((duration) => {
      const unit = units.find((one) => duration % seconds[one] === 0) ?? "s";
      return `${duration / seconds[unit]}${unit}`;
    })
    .join(", ");
}

const maxRetries = 20;

const maxRetrySeconds = 86_400;

const maxTotalSeconds = 7 * 86_400;

export function scheduleFault(text: string): ScheduleFault | undefined {
  const durations = durationsOf(text);
  if (durations === undefined) {
    return "format";
  }
  if (durations.length > maxRetries) {
    return "count";
  }
  if (durations.some((one) => one < 1 || one > maxRetrySeconds)) {
    return "range";
  }
  return durations.reduce((sum, one) => sum + one, 0) > maxTotalSeconds ? "total" : undefined;
}

/** Delays in seconds; undefined if invalid. Empty means no retry. */
export function durationsOf(text: string): number[] | undefined {
  const parts = text
    .split(/[,;\s]+/u)
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== "");
  const parsed = parts.map(parseOne);
  return parsed.every((one) => one !== undefined) ? parsed : undefined;
}

function parseOne(text: string): number | undefined {
  const [, number, unit = "s"] = /^(\d+)\s*([smhd]?)$/u.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (seconds[unit as Unit] ?? 1);
}
