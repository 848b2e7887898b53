import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Log } from "./use-log.ts";

export type Rows = ReturnType<typeof useRows>;

/** Index of the row that contains an element; -1 for none. */
export function rowOf(target: EventTarget | null): number {
  return target instanceof Element
    ? Number(target.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? -1)
    : -1;
}

const rowHeight = 36;

const cardHeight = 68;

/** Distance from the end, in rows, at which the next page is loaded. */
const ahead = 40;

type RowsOptions = Readonly<{
  log: Log;
  /** Index of the first visible row. */
  onVisibleRow: (row: number) => void;
}>;

/** Virtualizes the list and loads further pages before its end. */
export function useRows({ log, onVisibleRow }: RowsOptions) {
  const list = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery("(max-width: 48em)", undefined, {
    getInitialValueInEffect: false,
  });
  const height = isNarrow ? cardHeight : rowHeight;
  const virtual = useWindowVirtualizer({
    count: log.rows.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: useDistance(list),
    // Height of the console's header and the table head.
    scrollPaddingStart: 96,
    scrollPaddingEnd: 16,
    getItemKey: (index) => log.rows[index]?.id ?? index,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const first = virtual.range?.startIndex ?? 0;
  const { hasMore, isReading, more, isPaused, error } = log;
  const wantsMore =
    hasMore && !isReading && !isPaused && error === null && last >= log.rows.length - ahead;
  useEffect(() => {
    if (wantsMore) {
      more();
    }
  }, [wantsMore, more]);
  useEffect(() => onVisibleRow(first), [onVisibleRow, first]);
  const isRow = (index: number): boolean => index >= 0 && index < log.rows.length;
  const show = (to: number): void => {
    if (isRow(to)) {
      virtual.scrollToIndex(to);
    }
  };
  /** Scrolls to a row and focuses it. */
  const move = (to: number): void => {
    show(to);
    list.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus();
  };
  return { list, virtual, items, isNarrow, height, show, move };
}

/** Offset of the list from the top of the page; the filters above it may wrap. */
function useDistance(list: RefObject<HTMLDivElement | null>): number {
  const [distance, setDistance] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      setDistance(Math.round(top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return distance;
}
