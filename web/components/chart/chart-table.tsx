import { Table } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";
import type { ChartData } from "./model.ts";
import { pointName, type Grain } from "./times.ts";
import classes from "./chart.module.css";

type ChartTableProps = Readonly<{
  data: ChartData;
  label: string;
  grain: Grain;
  height: number;
  exact: (value: number) => string;
}>;

/** Limits the rows, because a large table is slow to update with live data. */
const mostRows = 400;

/** The same numbers as the chart, newest first. */
export function ChartTable({ data, label, grain, height, exact }: ChartTableProps) {
  const { t } = useTranslation();
  const newest = data.times.map((time, at) => ({ time, at })).toReversed();
  return (
    <div
      className={classes["table"]}
      style={{ height }}
      role="group"
      aria-label={label}
      tabIndex={0}
    >
      <Table stickyHeader verticalSpacing={4} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(grain === "day" ? "chart.day" : "chart.time")}</Table.Th>
            {data.series.map(({ name }) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {newest.slice(0, mostRows).map(({ time, at }) => (
            <Table.Tr key={time}>
              <Table.Td>{pointName(time, grain)}</Table.Td>
              {data.series.map(({ name, values }) => {
                const value = values[at] ?? null;
                return (
                  <Table.Td key={name} ta="right">
                    {value === null ? "–" : exact(value)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
