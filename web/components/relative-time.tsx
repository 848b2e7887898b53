import { Tooltip } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { formatExact, formatRelative } from "../base/format.ts";

/** Whether the time has come; drawn again when it does. */
export function useIsPast(date: Date): boolean {
  return useSyncExternalStore(listen, () => date.getTime() <= Date.now());
}

/** "3 minutes ago", with the exact time and its zone on hover and for screen readers. */
export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at);
  const relative = useRelative(date);
  const exact = formatExact(date);
  return <Time at={at} shown={relative} heard={`${relative}, ${exact}`} tooltip={exact} />;
}

/** The text changes, and is drawn again, only as often as it says something else. */
export function useRelative(date: Date): string {
  return useSyncExternalStore(listen, () => formatRelative(date, new Date()));
}

/** One clock for all times on the page: a long list would have a timer for each of its rows. */
const listeners = new Set<() => void>();

let timer: ReturnType<typeof setInterval> | undefined;

export function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((notify) => notify()), 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

type TimeProps = Readonly<{ at: string; shown: string; heard: string; tooltip: string }>;

/** A time of which more is told to who points at it, and to who hears it. */
export function Time({ at, shown, heard, tooltip }: TimeProps) {
  // The tooltip costs more than all the rest, so it is made for the one that is pointed at.
  const [isPointed, setPointed] = useState(false);
  const time = (
    <time
      dateTime={at}
      aria-label={heard}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      {shown}
    </time>
  );
  return isPointed ? (
    <Tooltip label={tooltip} opened>
      {time}
    </Tooltip>
  ) : (
    time
  );
}
