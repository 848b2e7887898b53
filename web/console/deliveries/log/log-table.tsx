import { Button, Skeleton } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { useSingleKeys } from "../../../components/single-keys.ts";
import { counted, useWords } from "../labels.ts";
import { prepareDeliveryPanel } from "./lazy-delivery-panel.ts";
import type { ShownColumn } from "./columns.tsx";
import type { Row } from "./pages.ts";
import { Line, numberClass } from "./rows.tsx";
import { stateOfAll } from "./selection.ts";
import type { Log } from "./use-log.ts";
import { rowOf, useRows, type Rows } from "./use-rows.ts";
import type { Selecting } from "./use-selection.ts";
import classes from "./log-table.module.css";

type LogTableProps = Readonly<{
  log: Log;
  shown: readonly ShownColumn[];
  openId: number | undefined;
  onOpen: (row: Row) => void;
  /** Index of the first visible row. */
  onVisibleRow: (row: number) => void;
  selecting: Selecting;
  /** The error, shown in place of the rows. */
  fault: ReactNode;
}>;

type BodyProps = LogTableProps & Readonly<{ rows: Rows; step: (by: number) => void }>;

/** The log as a virtual list. */
export function LogTable(props: LogTableProps) {
  const { log, shown, fault } = props;
  const { t } = useTranslation("deliveries");
  const rows = useRows(props);
  const step = useStep(props, rows);
  const widths = ["28px", ...shown.map(({ width }) => width)];
  return (
    <div className={classes["frame"]} style={{ "--columns": widths.join(" ") } as object}>
      <Newer newer={log.newer} showNewer={log.showNewer} />
      <div
        role="table"
        aria-label={t("log.title")}
        aria-rowcount={log.hasMore ? -1 : log.rows.length + 1}
        aria-busy={log.isLoading}
      >
        {rows.isNarrow ? null : <Head {...props} />}
        <Body {...props} rows={rows} step={step} />
      </div>
      {log.isLoading ? <Waiting /> : null}
      {fault === null ? null : <div className={classes["fault"]}>{fault}</div>}
    </div>
  );
}

/** Arrow keys move the focus, and the open delivery if there is one. */
function useStep({ log, openId, onOpen }: LogTableProps, { show, move }: Rows) {
  const step = (by: number): void => {
    const from =
      openId === undefined
        ? rowOf(document.activeElement)
        : log.rows.findIndex(({ id }) => id === openId);
    const row = log.rows[from + by];
    if (row === undefined) {
      return;
    }
    if (openId !== undefined) {
      onOpen(row);
    }
    // Keep the focus in the detail pane if it is there.
    const isReading = document.activeElement?.matches("aside *, [role='dialog'] *") === true;
    (isReading ? show : move)(from + by);
  };
  useSingleKeys([
    ["j", () => step(1)],
    ["k", () => step(-1)],
  ]);
  return step;
}

/** New deliveries are added only on request, to avoid layout shift. */
function Newer({ newer, showNewer }: Pick<Log, "newer" | "showNewer">) {
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
}

type HeadProps = Pick<LogTableProps, "log" | "shown" | "selecting">;

function Head({ log, shown, selecting }: HeadProps) {
  const { t } = useTranslation("deliveries");
  const all = stateOfAll(selecting.selection, log.rows);
  return (
    <div role="rowgroup" className={classes["head"]}>
      <div role="row" className={classes["row"]} aria-rowindex={1}>
        <div role="columnheader" className={classes["select"]}>
          <input
            type="checkbox"
            checked={all === "all"}
            ref={(box) => {
              if (box !== null) {
                box.indeterminate = all === "some";
              }
            }}
            onChange={() => selecting.set(log.rows, all !== "all")}
            disabled={log.rows.length === 0}
            aria-label={t("select.all")}
          />
        </div>
        {shown.map(({ name }) => (
          <div key={name} role="columnheader" className={numberClass(name)}>
            {t(`column.${name}`)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The visible rows. Uses event delegation: one listener for all rows. */
function Body(props: BodyProps) {
  const { log, shown, openId, selecting } = props;
  const { list, virtual, items, isNarrow, height } = props.rows;
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const [focused, setFocused] = useState(-1);
  const open = log.rows.findIndex(({ id }) => id === openId);
  const inTabs =
    [open, focused].find((index) => items.some((item) => item.index === index)) ?? items[0]?.index;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows take the focus; one listener serves all
    <div
      ref={list}
      role="rowgroup"
      className={classes["list"]}
      style={{ height: virtual.getTotalSize() }}
      {...useListeners(props)}
      onPointerEnter={prepareDeliveryPanel}
      onFocus={({ target }) => {
        prepareDeliveryPanel();
        setFocused(rowOf(target));
      }}
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
            isSelected={selecting.selection.has(row.id)}
            isInTabs={index === inTabs}
            shown={isNarrow ? undefined : shown}
            selectLabel={t("select.one", { id: row.id })}
          />
        );
      })}
    </div>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function useListeners({ log, onOpen, selecting, step }: BodyProps) {
  const at = (target: EventTarget): Row | undefined => log.rows[rowOf(target)];
  const isBox = (target: EventTarget): boolean =>
    target instanceof Element && target.closest("[data-select]") !== null;
  const onClick = (event: React.MouseEvent): void => {
    const row = at(event.target);
    if (row !== undefined && isBox(event.target)) {
      selecting.toggle(row, event.shiftKey);
    } else if (row !== undefined) {
      onOpen(row);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const row = at(event.target);
    const by = steps[event.key];
    if (by !== undefined) {
      event.preventDefault();
      step(by);
    } else if (event.key === "Enter" && row !== undefined) {
      onOpen(row);
    } else if (event.key === "x" && row !== undefined) {
      selecting.toggle(row, false);
    }
  };
  return { onClick, onKeyDown };
}

function Waiting() {
  return (
    <div aria-hidden>
      {Array.from({ length: 18 }, (_, row) => (
        <div key={row} className={classes["waiting"]}>
          <Skeleton height={14} width={`${88 - ((row * 17) % 30)}%`} />
        </div>
      ))}
    </div>
  );
}
