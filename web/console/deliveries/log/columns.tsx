import { useLocalStorage } from "@mantine/hooks";
import { useMemo, type ReactNode } from "react";
import { formatDuration, formatExact, formatNumber } from "../../../base/format.ts";
import { ClockTime } from "../../../components/clock-time.tsx";
import { Time, useIsPast, useRelative } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { meaningOf } from "../state-meaning.ts";
import type { Words } from "../labels.ts";
import type { Row } from "./pages.ts";
import { Result } from "./result.tsx";
import classes from "./log-table.module.css";

export const columnNames = [
  ...(["created", "state", "event", "about", "webhook", "result", "duration"] as const),
  ...(["attempts", "next_try", "ended", "sequence", "event_id", "id"] as const),
] as const;

export type ColumnName = (typeof columnNames)[number];

type Column = Readonly<{
  /** Width of the grid track. */
  width: string;
  isNumber?: boolean;
  cell: (row: Row, words: Words) => ReactNode;
}>;

export const columns: Record<ColumnName, Column> = {
  state: { width: "minmax(112px, 0.9fr)", cell: (row, words) => <State row={row} words={words} /> },
  event: { width: "minmax(110px, 1.5fr)", cell: (row, words) => words.event(row) },
  about: {
    width: "minmax(96px, 1fr)",
    cell: (row, words) =>
      row.object_id === null ? (
        "–"
      ) : (
        <>
          <span className={classes["dim"]}>{words.object(row.object)}</span>{" "}
          <span className="mono">{row.object_id}</span>
        </>
      ),
  },
  webhook: { width: "minmax(80px, 1.1fr)", cell: (row) => <WebhookName row={row} /> },
  result: {
    width: "minmax(100px, 1.2fr)",
    cell: (row, words) => <Result row={row} words={words} />,
  },
  duration: {
    width: "68px",
    isNumber: true,
    cell: (row) => (row.last_ms === null ? "–" : formatDuration(row.last_ms)),
  },
  attempts: { width: "64px", isNumber: true, cell: (row) => formatNumber(row.attempt_count) },
  created: { width: "minmax(92px, 0.7fr)", cell: (row) => timeOrDash(row.created) },
  next_try: {
    width: "minmax(92px, 0.8fr)",
    cell: (row, words) =>
      row.next_try === null ? "–" : <NextAttempt at={row.next_try} words={words} />,
  },
  ended: { width: "minmax(92px, 0.7fr)", cell: (row) => timeOrDash(row.ended) },
  sequence: { width: "80px", isNumber: true, cell: (row) => formatNumber(row.sequence) },
  event_id: { width: "minmax(120px, 1.4fr)", cell: (row) => mono(row.event_id) },
  id: { width: "84px", isNumber: true, cell: (row) => mono(String(row.id)) },
};

export type ShownColumn = Readonly<{ name: ColumnName; width: string }>;

export function State({ row, words }: { row: Row; words: Words }) {
  return row.gone === true ? (
    <StateBadge meaning="neutral">{words.t("log.gone")}</StateBadge>
  ) : (
    <StateBadge meaning={meaningOf(row.status)}>{words.state(row.status)}</StateBadge>
  );
}

/** Cut at its end, also if it is written from right to left. */
export function WebhookName({ row }: { row: Row }) {
  return (
    <span className={classes["name"]} dir="auto">
      {row.webhook.name}
    </span>
  );
}

const firstColumns: readonly ColumnName[] = [
  ...(["created", "state", "event", "about", "webhook", "result", "duration"] as const),
  ...(["attempts", "next_try"] as const),
];

/** The visible columns of this browser, in order. */
export function useColumns(isNarrow: boolean) {
  const [chosen, setChosen] = useLocalStorage<readonly ColumnName[]>({
    key: "sightline.columns.deliveries",
    defaultValue: firstColumns,
    getInitialValueInEffect: false,
  });
  const names = useMemo(() => columnNames.filter((name) => chosen.includes(name)), [chosen]);
  const shown = useMemo(() => shownOf(names, isNarrow), [names, isNarrow]);
  const toggle = (name: ColumnName): void =>
    setChosen(names.includes(name) ? names.filter((one) => one !== name) : [...names, name]);
  return { shown, chosen: names, toggle };
}

/** Columns shown beside an open delivery, with their widths. */
const narrowWidths: Partial<Record<ColumnName, string>> = {
  created: "88px",
  state: "100px",
  event: "minmax(0, 1fr)",
  about: "minmax(0, 0.9fr)",
  result: "96px",
};

function shownOf(names: readonly ColumnName[], isNarrow: boolean): readonly ShownColumn[] {
  const narrow = names.flatMap((name) => {
    const width = narrowWidths[name];
    return width === undefined ? [] : [{ name, width }];
  });
  return isNarrow && narrow.length > 0
    ? narrow
    : names.map((name) => ({ name, width: columns[name].width }));
}

function timeOrDash(at: string | null): ReactNode {
  return at === null ? "–" : <ClockTime at={at} />;
}

/** "In 5 minutes"; then "due", because a due delivery may wait for its webhook. */
function NextAttempt({ at, words }: { at: string; words: Words }) {
  const date = new Date(at);
  const isDue = useIsPast(date);
  const relative = useRelative(date);
  const exact = formatExact(date);
  const shown = isDue ? words.t("log.due") : relative;
  return <Time at={at} shown={shown} heard={`${shown}, ${exact}`} tooltip={exact} />;
}

function mono(text: string | null): ReactNode {
  return <span className="mono">{text ?? "–"}</span>;
}
