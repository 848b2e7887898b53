/** Times on the axis, in the tooltip and in the table of a chart. */
import { formatDate } from "../../base/format.ts";

/** Whether each point is a moment, or stands for a whole day. */
export type Grain = "moment" | "day";

/** A point as the tooltip and the table name it. */
export function pointName(seconds: number, grain: Grain): string {
  return formatDate(
    new Date(seconds * 1_000),
    grain === "day"
      ? { weekday: "short", year: "numeric", month: "short", day: "numeric" }
      : {
          ...{ month: "short", day: "numeric" },
          ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
        },
  );
}

const day = 86_400;

/** The marks of the axis: as short as their distance allows, a date where a day begins. */
export function axisNames(marks: readonly number[], distance: number): string[] {
  return marks.map((seconds) => {
    const at = new Date(seconds * 1_000);
    if (distance >= day || isMidnight(at)) {
      return formatDate(at, { month: "short", day: "numeric" });
    }
    return formatDate(at, {
      ...{ hour: "2-digit", minute: "2-digit" },
      ...(distance < 60 ? { second: "2-digit" } : {}),
    });
  });
}

function isMidnight(at: Date): boolean {
  return at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0;
}
