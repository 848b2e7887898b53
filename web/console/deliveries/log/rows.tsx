/** A row of the log: cells, or a card on narrow screens. */
import { memo } from "react";
import { ClockTime } from "../../../components/clock-time.tsx";
import type { Words } from "../labels.ts";
import { columns, State, WebhookName, type ColumnName, type ShownColumn } from "./columns.tsx";
import type { Row } from "./pages.ts";
import { Result } from "./result.tsx";
import classes from "./log-table.module.css";

export function numberClass(name: ColumnName): string {
  return columns[name].isNumber === true ? (classes["number"] ?? "") : "";
}

type RowProps = Readonly<{ row: Row; words: Words }>;

/** A row as a card, for narrow screens. */
function Card({ row, words }: RowProps) {
  return (
    <div role="cell" className={classes["card"]}>
      <div className={classes["line"]}>
        <strong className={classes["text"]}>
          {words.event(row)} <span className="mono">{row.object_id}</span>
        </strong>
        <State row={row} words={words} />
      </div>
      <div className={classes["line"]}>
        <span className={`${classes["text"]} ${classes["facts"]}`}>
          <WebhookName row={row} />
          {row.last_result === null ? null : <Result row={row} words={words} />}
        </span>
        <ClockTime at={row.created} />
      </div>
    </div>
  );
}

type LineProps = RowProps &
  Readonly<{
    index: number;
    /** Offset from the top of the list, in pixels. */
    top: number;
    height: number;
    isOpen: boolean;
    isSelected: boolean;
    /** Roving tabindex: Tab reaches one row of the list, then its checkbox. */
    isInTabs: boolean;
    /** undefined on narrow screens. */
    shown: readonly ShownColumn[] | undefined;
    selectLabel: string;
  }>;

/** Memoized, so that scrolling does not render unchanged rows again. */
export const Line = memo((props: LineProps) => {
  const { row, words, index, top, height, isOpen, isSelected, isInTabs, shown } = props;
  const tabIndex = isInTabs ? 0 : -1;
  return (
    <div
      role="row"
      tabIndex={tabIndex}
      aria-rowindex={index + 2}
      aria-current={isOpen || undefined}
      data-index={index}
      data-delivery={row.id}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      data-gone={row.gone}
      className={`${classes["row"]} ${classes["opens"]}`}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {shown === undefined ? (
        <Card row={row} words={words} />
      ) : (
        <>
          <div role="cell" className={classes["select"]} data-select>
            <input
              type="checkbox"
              tabIndex={tabIndex}
              checked={isSelected}
              readOnly
              aria-label={props.selectLabel}
            />
          </div>
          {shown.map(({ name }) => (
            <div key={name} role="cell" className={numberClass(name)}>
              {columns[name].cell(row, words)}
            </div>
          ))}
        </>
      )}
    </div>
  );
});
Line.displayName = "Line";
