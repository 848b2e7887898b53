import { Button, Skeleton } from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { IconArrowUp } from "@tabler/icons-react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { counted, useWords, type Words } from "../words.ts";
import { prepareBeside } from "./beside.ts";
import { columns, State, type ColumnName } from "./columns.tsx";
import type { Row } from "./pages.ts";
import type { Log } from "./use-log.ts";
import classes from "./log-table.module.css";

type LogTableProps = Readonly<{
  log: Log;
  shown: readonly ColumnName[];
  openId: number | undefined;
  onOpen: (row: Row) => void;
  /** Index of the first row on the screen. */
  onLookAt: (row: number) => void;
}>;

const rowHeight = 36;
const cardHeight = 68;
/** Rows from the end at which the next page is asked for. */
const ahead = 40;

const numberClass = (name: ColumnName): string =>
  columns[name].isNumber === true ? (classes["number"] ?? "") : "";

const Head = ({ shown }: { shown: readonly ColumnName[] }) => {
  const { t } = useTranslation("deliveries");
  return (
    <div role="rowgroup" className={classes["head"]}>
      <div role="row" className={classes["row"]} aria-rowindex={1}>
        {shown.map((name) => (
          <div key={name} role="columnheader" className={numberClass(name)}>
            {t(`column.${name}`)}
          </div>
        ))}
      </div>
    </div>
  );
};

type RowProps = Readonly<{ row: Row; words: Words }>;

/** All of a row where there is no room for columns. */
const Card = ({ row, words }: RowProps) => (
  <div role="cell" className={classes["card"]}>
    <div className={classes["line"]}>
      <strong className={classes["text"]}>
        {words.event(row)} <span className="mono">{row.object_id}</span>
      </strong>
      <State row={row} words={words} />
    </div>
    <div className={classes["line"]}>
      <span className={classes["text"]}>
        {row.webhook.name}
        {row.last_result === null ? "" : ` · ${words.result(row)}`}
      </span>
      <RelativeTime at={row.created} />
    </div>
  </div>
);

type LineProps = RowProps &
  Readonly<{
    index: number;
    /** From the top of the list, in pixels. */
    top: number;
    height: number;
    isOpen: boolean;
    /** Undefined where there is no room for columns. */
    shown: readonly ColumnName[] | undefined;
  }>;

/** Drawn again only when it changes: while somebody scrolls, the others stay as they are. */
const Line = memo(({ row, words, index, top, height, isOpen, shown }: LineProps) => (
  <div
    role="row"
    tabIndex={0}
    aria-rowindex={index + 2}
    data-index={index}
    data-delivery={row.id}
    data-open={isOpen || undefined}
    data-gone={row.gone}
    className={`${classes["row"]} ${classes["opens"]}`}
    style={{ height, transform: `translateY(${top}px)` }}
  >
    {shown === undefined ? (
      <Card row={row} words={words} />
    ) : (
      shown.map((name) => (
        <div key={name} role="cell" className={numberClass(name)}>
          {columns[name].cell(row, words)}
        </div>
      ))
    )}
  </div>
));
Line.displayName = "Line";

/** The list begins somewhere down the page: below the filters, which may take several lines. */
const useDistance = (list: RefObject<HTMLDivElement | null>): number => {
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
};

const useRows = ({ log, onLookAt }: Pick<LogTableProps, "log" | "onLookAt">) => {
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
    // Below the bar of the console and the head of the table.
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
  useEffect(() => onLookAt(first), [onLookAt, first]);
  /** The focus goes to another row, which is scrolled to first. */
  const move = (to: number): void => {
    if (to >= 0 && to < log.rows.length) {
      virtual.scrollToIndex(to);
      list.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus();
    }
  };
  return { list, virtual, items, isNarrow, height, move };
};

const Waiting = () =>
  Array.from({ length: 12 }, (_, row) => (
    <div key={row} className={classes["waiting"]}>
      <Skeleton height={14} width={`${88 - ((row * 17) % 30)}%`} />
    </div>
  ));

/** New deliveries are offered: they never push away what somebody reads. */
const Newer = ({ newer, showNewer }: Pick<Log, "newer" | "showNewer">) => {
  const { t } = useTranslation("deliveries");
  return (
    <div className={classes["newer"]} role="status">
      {newer.count === 0 ? null : (
        <Button
          size="compact-sm"
          radius="xl"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => {
            showNewer();
            window.scrollTo({ top: 0 });
          }}
        >
          {t(newer.isAll ? "log.newer" : "log.newer_more", counted(newer.count))}
        </Button>
      )}
    </div>
  );
};

type BodyProps = LogTableProps & ReturnType<typeof useRows>;

/** Index of the row that an element is in; -1 where it is in none. */
const rowOf = (target: EventTarget | null): number =>
  target instanceof Element
    ? Number(target.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? -1)
    : -1;

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The rows on the screen. What is done to one of them is heard here, once for all. */
const Body = ({ log, shown, openId, onOpen, ...rows }: BodyProps) => {
  const { list, virtual, items, isNarrow, height, move } = rows;
  const words = useWords();
  const openAt = (target: EventTarget): void => {
    const row = log.rows[rowOf(target)];
    if (row !== undefined) {
      onOpen(row);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const step = steps[event.key];
    if (event.key === "Enter") {
      openAt(event.target);
    } else if (step !== undefined) {
      event.preventDefault();
      move(rowOf(event.target) + step);
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows take the focus; one listener serves all
    <div
      ref={list}
      role="rowgroup"
      className={classes["list"]}
      style={{ height: virtual.getTotalSize() }}
      onClick={(event) => openAt(event.target)}
      onKeyDown={onKeyDown}
      onPointerEnter={prepareBeside}
      onFocus={prepareBeside}
    >
      {items.map(({ index, key, start }) => {
        const row = log.rows[index];
        return row === undefined ? null : (
          <Line
            key={key}
            row={row}
            words={words}
            index={index}
            top={start - virtual.options.scrollMargin}
            height={height}
            isOpen={row.id === openId}
            shown={isNarrow ? undefined : shown}
          />
        );
      })}
    </div>
  );
};

/** j and k go down and up: in the list, or through what is open beside it. */
const useSteps = ({ log, openId, onOpen }: LogTableProps, move: (to: number) => void): void => {
  const step = (by: number): void => {
    if (openId === undefined) {
      move(rowOf(document.activeElement) + by);
      return;
    }
    const row = log.rows[log.rows.findIndex(({ id }) => id === openId) + by];
    if (row !== undefined && row.id !== openId) {
      onOpen(row);
    }
  };
  useHotkeys([
    ["j", () => step(1)],
    ["k", () => step(-1)],
  ]);
};

/** The log as a table of which only what is on the screen is drawn, however long it is. */
export const LogTable = (props: LogTableProps) => {
  const { log, shown } = props;
  const { t } = useTranslation("deliveries");
  const rows = useRows(props);
  useSteps(props, rows.move);
  return (
    <div
      className={classes["frame"]}
      style={{ "--columns": shown.map((name) => columns[name].width).join(" ") } as object}
    >
      <Newer newer={log.newer} showNewer={log.showNewer} />
      {log.isLoading ? <Waiting /> : null}
      <div
        role="table"
        aria-label={t("log.title")}
        aria-rowcount={log.hasMore ? -1 : log.rows.length + 1}
        aria-busy={log.isLoading}
      >
        {rows.isNarrow ? null : <Head shown={shown} />}
        <Body {...props} {...rows} />
      </div>
    </div>
  );
};
