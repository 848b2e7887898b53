import { useEffect, useState } from "react";

/** Whole seconds until a time, in milliseconds since 1970; renders once a second. */
export function useSecondsUntil(until: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(until));
  useEffect(() => {
    const tick = (): void => setSeconds(secondsUntil(until));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}

function secondsUntil(at: number): number {
  return Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}
