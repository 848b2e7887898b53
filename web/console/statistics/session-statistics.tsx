import { Group, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { IconKey, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatNumber } from "../../base/format.ts";
import { Chart } from "../../components/chart/chart.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { useSession } from "../session.ts";
import { chartTime, fromFirst } from "./days.ts";
import { Download } from "./download.tsx";
import type { Period } from "./period.ts";
import { sessionSummaryQuery, type SessionsOf } from "./queries.ts";
import type { SessionSummary } from "./session-figures.ts";
import { ServiceChoice, useServiceNeed } from "./service-choice.tsx";
import { SessionList } from "./session-list.tsx";
import { Tiles } from "./tiles.tsx";
import classes from "./statistics.module.css";

type SessionStatisticsProps = Readonly<{ period: Period; today: string }>;

/** Sessions that ended in the period: count, participants and billed time. */
export function SessionStatistics(props: SessionStatisticsProps) {
  const { t } = useTranslation("statistics");
  const { service, type = "conference" } = useSearch({ from: "/signed-in/statistics" });
  const navigate = useNavigate({ from: "/statistics" });
  const isLacking = useServiceNeed() && service === undefined;
  return (
    <>
      <Group mb="md" gap="sm">
        <SegmentedControl
          value={type}
          aria-label={t("sessions.kind")}
          onChange={(next) => void navigate({ search: (was) => ({ ...was, type: next }) })}
          data={[
            { value: "conference", label: t("sessions.conference") },
            { value: "ticket", label: t("sessions.ticket") },
          ]}
        />
        <ServiceChoice />
        <Text c="dimmed" size="xs">
          {t("sessions.note")}
        </Text>
      </Group>
      {isLacking ? (
        <EmptyState
          icon={IconKey}
          title={t("sessions.choose_service")}
          text={t("sessions.choose_text")}
        />
      ) : (
        <Sessions {...props} />
      )}
    </>
  );
}

function Sessions({ period }: SessionStatisticsProps) {
  const { t } = useTranslation("statistics");
  const { enterprise } = useSession();
  const { service, type = "conference" } = useSearch({ from: "/signed-in/statistics" });
  const of: SessionsOf = {
    ...{ enterpriseId: enterprise.id, timeZone: enterprise.time_zone },
    ...{ type, serviceKey: service, period },
  };
  const { data, error, refetch } = useQuery(sessionSummaryQuery(of));
  const tiles = useSessionTiles(data?.total);
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <Tiles label={t("tile.of_sessions")} tiles={tiles} />
      {data === undefined ? <Skeleton height={300} /> : <Found summary={data} of={of} />}
    </>
  );
}

function useSessionTiles(sum: SessionSummary["total"] | undefined) {
  const { t } = useTranslation("statistics");
  const of = (format: (sum: SessionSummary["total"]) => string): string | undefined =>
    sum === undefined ? undefined : format(sum);
  const one = { maximumFractionDigits: 1 };
  return [
    { name: t("sessions.sessions"), value: of(({ sessions }) => formatNumber(sessions)) },
    {
      name: t("sessions.participants"),
      value: of(({ participants }) => formatNumber(participants)),
      note: of(({ participants, sessions }) =>
        sessions === 0
          ? ""
          : t("sessions.average", { value: formatNumber(participants / sessions, one) }),
      ),
    },
    {
      name: t("sessions.billed"),
      value: of(({ billing_duration: seconds }) =>
        t("sessions.minutes", { value: formatNumber(seconds / 60) }),
      ),
      note: t("sessions.billed_note"),
    },
    {
      name: t("sessions.length"),
      value: of(({ duration, sessions }) =>
        sessions === 0 ? "–" : formatDuration((duration / sessions) * 1_000),
      ),
      note: t("sessions.length_note"),
    },
  ];
}

function Found({ summary, of }: { summary: SessionSummary; of: SessionsOf }) {
  const { t } = useTranslation("statistics");
  if (summary.total.sessions === 0) {
    return (
      <EmptyState
        icon={IconUsersGroup}
        title={t("sessions.empty")}
        text={t("sessions.empty_text")}
      />
    );
  }
  const { type, serviceKey } = of;
  const service = serviceKey === undefined ? {} : { service_key: serviceKey };
  return (
    <>
      <SessionCharts summary={summary} />
      <Group justify="flex-end" mb="xs">
        <Download
          path={`/api/enterprises/${of.enterpriseId}/sessions-stats`}
          query={{ ...of.period, type, ...service, format: "CSV" }}
          label={t("export.sessions")}
        />
      </Group>
      <SessionList of={of} />
    </>
  );
}

function SessionCharts({ summary }: { summary: SessionSummary }) {
  const { t } = useTranslation("statistics");
  const { times, count, minutes } = useMemo(() => {
    const days = fromFirst(summary.days, isEmpty);
    return {
      times: days.map(({ day }) => chartTime(day)),
      count: [
        {
          name: t("sessions.sessions"),
          color: "accent" as const,
          values: days.map(({ sessions }) => sessions),
        },
        {
          name: t("sessions.participants"),
          color: "second" as const,
          values: days.map(({ participants }) => participants),
          line: "dashed" as const,
        },
      ],
      minutes: [
        {
          name: t("sessions.billed"),
          color: "accent" as const,
          values: days.map(({ billing_duration: seconds }) => seconds / 60),
        },
      ],
    };
  }, [summary, t]);
  const shared = { times, grain: "day", isWhole: true, height: 190 } as const;
  return (
    <div className={classes["charts"]}>
      <Chart {...shared} label={t("sessions.chart")} unit={t("chart.per_day")} series={count} />
      <Chart
        {...shared}
        label={t("sessions.billed_chart")}
        unit={t("sessions.minutes_per_day")}
        series={minutes}
        isBars
        format={(value) => t("sessions.minutes", { value: formatNumber(value) })}
      />
    </div>
  );
}

function isEmpty({ sessions }: { sessions: number }): boolean {
  return sessions === 0;
}
