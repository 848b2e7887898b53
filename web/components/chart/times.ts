/** Formats times for the axis, the tooltip and the table of a chart. */
import { formatDate } from "../../base/format.ts";

/** Whether each point is an instant or a whole day. */
export type Grain = "moment" | "day";

/** The name of a point in the tooltip and the table. */
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

/** Labels of the axis: as short as the distance allows, with a date where a day starts. */
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
