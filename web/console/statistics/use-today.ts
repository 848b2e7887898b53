import { useEffect, useState } from "react";
import { dayIn } from "./days.ts";

/** The day that it is on a clock of that time zone; another one after its midnight. */
export function useToday(timeZone: string): string {
  const [today, setToday] = useState(() => dayIn(timeZone, new Date()));
  useEffect(() => {
    const timer = setInterval(() => setToday(dayIn(timeZone, new Date())), 60_000);
    return () => clearInterval(timer);
  }, [timeZone]);
  return today;
}
