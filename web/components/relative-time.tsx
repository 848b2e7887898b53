import { Tooltip } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { formatExact, formatRelative } from "../base/format.ts";

/** One clock for all times on the page: a long list would have a timer for each of its rows. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((tell) => tell()), 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
};

/** The text changes, and is drawn again, only as often as it says something else. */
const useRelative = (date: Date): string =>
  useSyncExternalStore(listen, () => formatRelative(date, new Date()));

/** "3 minutes ago", with the exact time and its zone on hover and for screen readers. */
export const RelativeTime = ({ at }: { at: string }) => {
  const date = new Date(at);
  const relative = useRelative(date);
  // The tooltip costs more than all the rest, so it is made for the one that is pointed at.
  const [isPointed, setPointed] = useState(false);
  const exact = formatExact(date);
  const time = (
    <time
      dateTime={at}
      aria-label={`${relative}, ${exact}`}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      {relative}
    </time>
  );
  return isPointed ? (
    <Tooltip label={exact} opened>
      {time}
    </Tooltip>
  ) : (
    time
  );
};
