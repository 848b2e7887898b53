import { useLocalStorage } from "@mantine/hooks";
import { useMemo, type ReactNode } from "react";
import { formatNumber } from "../../../base/format.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { meaningOf } from "../meanings.ts";
import type { Words } from "../words.ts";
import type { Row } from "./pages.ts";
import classes from "./log-table.module.css";

export const columnNames = [
  ...(["state", "event", "about", "webhook", "result", "attempts", "created"] as const),
  ...(["next_try", "ended", "sequence", "event_id", "id"] as const),
] as const;
export type ColumnName = (typeof columnNames)[number];

const firstColumns: readonly ColumnName[] = [
  ...(["state", "event", "about", "webhook", "result", "attempts", "created"] as const),
];

type Column = Readonly<{
  /** Track of the grid. */
  width: string;
  isNumber?: boolean;
  cell: (row: Row, words: Words) => ReactNode;
}>;

const timeOrDash = (at: string | null): ReactNode => (at === null ? "–" : <RelativeTime at={at} />);

const mono = (text: string | null): ReactNode => <span className="mono">{text ?? "–"}</span>;

export const State = ({ row, words }: { row: Row; words: Words }) =>
  row.gone === true ? (
    <StateBadge meaning="neutral">{words.t("log.gone")}</StateBadge>
  ) : (
    <StateBadge meaning={meaningOf(row.status)}>{words.state(row.status)}</StateBadge>
  );

export const columns: Record<ColumnName, Column> = {
  state: { width: "minmax(116px, 0.8fr)", cell: (row, words) => <State row={row} words={words} /> },
  event: { width: "minmax(130px, 1.6fr)", cell: (row, words) => words.event(row) },
  about: {
    width: "minmax(110px, 1fr)",
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
  webhook: { width: "minmax(90px, 1.2fr)", cell: (row) => row.webhook.name },
  result: {
    width: "minmax(90px, 1fr)",
    cell: (row, words) => (row.last_result === null ? "–" : words.result(row)),
  },
  attempts: { width: "72px", isNumber: true, cell: (row) => formatNumber(row.attempt_count) },
  created: { width: "minmax(132px, 0.9fr)", cell: (row) => timeOrDash(row.created) },
  next_try: { width: "minmax(132px, 0.9fr)", cell: (row) => timeOrDash(row.next_try) },
  ended: { width: "minmax(132px, 0.9fr)", cell: (row) => timeOrDash(row.ended) },
  sequence: { width: "80px", isNumber: true, cell: (row) => formatNumber(row.sequence) },
  event_id: { width: "minmax(120px, 1.4fr)", cell: (row) => mono(row.webhook_id) },
  id: { width: "84px", isNumber: true, cell: (row) => mono(String(row.id)) },
};

/** Which columns are shown on this browser, in their order. */
export const useColumns = () => {
  const [chosen, setChosen] = useLocalStorage<readonly ColumnName[]>({
    key: "sightline.columns.deliveries",
    defaultValue: firstColumns,
    getInitialValueInEffect: false,
  });
  const shown = useMemo(() => columnNames.filter((name) => chosen.includes(name)), [chosen]);
  const toggle = (name: ColumnName): void =>
    setChosen(shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]);
  return { shown, toggle };
};
