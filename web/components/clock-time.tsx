import { useSyncExternalStore } from "react";
import { formatDate, formatExact } from "../base/format.ts";
import { listen, Time, useRelative } from "./relative-time.tsx";

/**
 * "14:05:20", as in logs, with the time zone and the relative time on hover and for screen readers.
 */
export function ClockTime({ at }: { at: string }) {
  const date = new Date(at);
  const exact = formatExact(date);
  const relative = useRelative(date);
  return <Time at={at} shown={useClock(date)} heard={exact} tooltip={`${exact} · ${relative}`} />;
}

function useClock(date: Date): string {
  return useSyncExternalStore(listen, () => formatClock(date, new Date()));
}

const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;

const day = { month: "short", day: "numeric" } as const;

/** With seconds; adds the date if it is not today, and the year if it is not this year. */
function formatClock(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) {
    return formatDate(at, clock);
  }
  const isThisYear = at.getFullYear() === now.getFullYear();
  return formatDate(at, { ...(isThisYear ? {} : { year: "numeric" }), ...day, ...clock });
}
