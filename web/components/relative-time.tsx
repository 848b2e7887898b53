import { Tooltip } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { formatExact, formatRelative } from "../base/format.ts";

/** Whether the time has passed; renders again when it does. */
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

/** Renders again only when the text changes. */
export function useRelative(date: Date): string {
  return useSyncExternalStore(listen, () => formatRelative(date, new Date()));
}

/** One shared timer: a long list would otherwise have a timer per row. */
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

/** A `time` element with a tooltip on hover and a text for screen readers. */
export function Time({ at, shown, heard, tooltip }: TimeProps) {
  // The tooltip is expensive, so it is mounted on hover only.
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
