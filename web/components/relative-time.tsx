import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { formatExact, formatRelative } from "../base/format.ts";

/** Redraws every so often: seconds are told as long as they matter. */
const useNow = (at: Date): Date => {
  const [now, setNow] = useState(() => new Date());
  const isFresh = Math.abs(now.getTime() - at.getTime()) < 60_000;
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), isFresh ? 1_000 : 30_000);
    return () => clearInterval(timer);
  }, [isFresh]);
  return now;
};

/** "3 minutes ago", with the exact time and its zone on hover and for screen readers. */
export const RelativeTime = ({ at }: { at: string }) => {
  const date = new Date(at);
  const now = useNow(date);
  const exact = formatExact(date);
  return (
    <Tooltip label={exact}>
      <time dateTime={at} aria-label={`${formatRelative(date, now)}, ${exact}`}>
        {formatRelative(date, now)}
      </time>
    </Tooltip>
  );
};
