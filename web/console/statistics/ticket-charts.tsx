import { Skeleton, Text } from "@mantine/core";
import { useMemo } from "react";
import type { TicketState } from "../../../src/contracts/events.ts";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatNumber, formatShare } from "../../base/format.ts";
import { Chart } from "../../components/chart/chart.tsx";
import type { ChartColor, ChartSeries } from "../../components/chart/model.ts";
import { chartTime, fromFirst } from "./days.ts";
import {
  countOfGroup,
  stateGroups,
  statesByGroup,
  type StateGroup,
  type TicketDay,
  type TicketFigures,
  type TicketSummary,
} from "./ticket-figures.ts";
import classes from "./statistics.module.css";

const colors: Readonly<Record<StateGroup, ChartColor>> = {
  done: "good",
  going: "accent",
  waiting: "second",
  expired: "warn",
  refused: "bad",
};

const groups = Object.keys(stateGroups) as StateGroup[];

/** undefined during loading. */
export function TicketCharts({ summary }: { summary: TicketSummary | undefined }) {
  return summary === undefined ? <Waiting /> : <Charts summary={summary} />;
}

function Waiting() {
  return (
    <div className={classes["charts"]} aria-hidden>
      <Skeleton height={266} className={classes["wide"] ?? ""} />
      {[1, 2, 3, 4].map((chart) => (
        <Skeleton key={chart} height={226} />
      ))}
    </div>
  );
}

function Charts({ summary }: { summary: TicketSummary }) {
  const { t } = useTranslation("statistics");
  const days = useMemo(() => fromFirst(summary.days, isEmpty), [summary]);
  const times = useMemo(() => days.map(({ day }) => chartTime(day)), [days]);
  const series = useSeries(days);
  const shared = { times, grain: "day", isBars: true, isWhole: true, height: 180 } as const;
  return (
    <div className={classes["charts"]}>
      <div className={classes["wide"]}>
        <Chart
          {...shared}
          label={t("chart.tickets")}
          unit={t("chart.per_day")}
          series={series.tickets}
          height={220}
          isStacked
        />
      </div>
      <States figures={summary.total} />
      <Chart
        {...shared}
        label={t("chart.invitations")}
        unit={t("chart.per_day")}
        series={series.invitations}
        height={226}
        isStacked
      />
      <Chart {...shared} label={t("chart.calls")} unit={t("chart.per_day")} series={series.calls} />
      <Chart
        {...shared}
        label={t("chart.duration")}
        unit={t("chart.per_day")}
        series={series.duration}
        format={minutesOf}
        isWhole={false}
      />
      <div className={classes["wide"]}>
        <Chart
          {...shared}
          label={t("chart.media")}
          unit={t("chart.per_day")}
          series={series.media}
          isStacked
        />
      </div>
    </div>
  );
}

function isEmpty({ tickets }: TicketDay): boolean {
  return tickets === 0;
}

function useSeries(days: readonly TicketDay[]) {
  const { t } = useTranslation("statistics");
  return useMemo(() => {
    const one = (
      name: string,
      color: ChartColor,
      read: (of: TicketDay) => number,
    ): ChartSeries => ({ name, color, values: days.map(read) });
    return {
      tickets: groups.map((group) =>
        one(t(`group.${group}`), colors[group], (of) => countOfGroup(of, group)),
      ),
      invitations: [
        one(t("chart.emails"), "accent", ({ emails }) => emails),
        one(t("chart.sms"), "second", ({ sms }) => sms),
      ],
      calls: [one(t("chart.calls"), "accent", ({ calls }) => calls)],
      duration: [one(t("chart.duration"), "accent", (of) => of.call_seconds / 60)],
      media: [
        one(t("chart.photos"), "accent", ({ photos }) => photos),
        one(t("chart.videos"), "second", ({ videos }) => videos),
      ],
    };
  }, [days, t]);
}

/** Every state with its share; the chart shows groups only. */
function States({ figures: { tickets, states } }: { figures: TicketFigures }) {
  const { t } = useTranslation("statistics");
  const present = statesByGroup.filter((state) => (states[state] ?? 0) > 0);
  return (
    <section className={classes["card"]} aria-label={t("chart.states")}>
      <Text fw={600}>{t("chart.states")}</Text>
      {present.length === 0 ? (
        <Text c="dimmed" size="sm" py="md">
          {t("chart.no_tickets")}
        </Text>
      ) : (
        <div className={classes["share"]}>
          {present.flatMap((state) => {
            const count = states[state] ?? 0;
            return [
              <span key={state}>{t(`state.${state}`)}</span>,
              <div key={`${state} bar`} className={classes["bar"]} aria-hidden>
                <i
                  data-color={colors[groupOf(state)]}
                  style={{ width: `${(count / tickets) * 100}%` }}
                />
              </div>,
              <span key={`${state} count`}>{formatNumber(count)}</span>,
              <span key={`${state} share`}>{formatShare(count / tickets)}</span>,
            ];
          })}
        </div>
      )}
    </section>
  );
}

function groupOf(state: TicketState): StateGroup {
  return (
    groups.find((group) => (stateGroups[group] as readonly TicketState[]).includes(state)) ??
    "waiting"
  );
}

function minutesOf(minutes: number): string {
  return formatDuration(minutes * 60_000);
}
