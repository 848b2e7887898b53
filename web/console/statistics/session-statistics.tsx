import { Button, Group, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { IconDownload, IconKey, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatNumber } from "../../base/format.ts";
import { Chart } from "../../components/chart/chart.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { useSession } from "../session.ts";
import { toCsv } from "./csv.ts";
import { chartTime, daysBetween } from "./days.ts";
import type { Period } from "./period.ts";
import { sessionsQuery, type SessionRow } from "./queries.ts";
import { saveFile } from "./save-file.ts";
import { figuresByDay, figuresOfSessions } from "./session-figures.ts";
import { ServiceChoice, useServiceNeed } from "./service-choice.tsx";
import { SessionList } from "./session-list.tsx";
import { Tiles } from "./tiles.tsx";
import classes from "./statistics.module.css";

type SessionStatisticsProps = Readonly<{ period: Period; today: string }>;

const heads = [
  ...["ID", "Start", "End", "Billed (seconds)", "Participants"],
  ...["Organizer", "Service", "Service key", "Type"],
] as const;

const saveSessions = (rows: readonly SessionRow[], { since, until }: Period): void => {
  const cells = rows.map((row) => [
    ...[row.id, row.start_time, row.end_time],
    ...[row.billing_duration, row.total_participant_count],
    ...[row.organizer.name, row.service.name, row.service.key, row.type],
  ]);
  const csv = new Blob([toCsv(heads, cells)], { type: "text/csv;charset=utf-8" });
  saveFile(csv, `sessions-${since}-${until}.csv`);
};

const SessionCharts = ({ rows, period }: { rows: readonly SessionRow[]; period: Period }) => {
  const { t } = useTranslation("statistics");
  const { enterprise } = useSession();
  const { since, until } = period;
  const { times, count, minutes } = useMemo(() => {
    const days = daysBetween(since, until);
    const figures = figuresByDay(rows, days, enterprise.time_zone);
    return {
      times: days.map(chartTime),
      count: [
        {
          name: t("sessions.sessions"),
          color: "accent" as const,
          values: figures.map(({ sessions }) => sessions),
        },
        {
          name: t("sessions.participants"),
          color: "muted" as const,
          values: figures.map(({ participants }) => participants),
          line: "dashed" as const,
        },
      ],
      minutes: [
        {
          name: t("sessions.billed"),
          color: "accent" as const,
          values: figures.map((one) => one.minutes),
        },
      ],
    };
  }, [rows, since, until, enterprise.time_zone, t]);
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
};

const useSessionTiles = (rows: readonly SessionRow[] | undefined) => {
  const { t } = useTranslation("statistics");
  const sum = rows === undefined ? undefined : figuresOfSessions(rows);
  const average = (whole: number, format: (value: number) => string): string | undefined => {
    if (sum === undefined) {
      return undefined;
    }
    return sum.sessions === 0 ? "–" : format(whole / sum.sessions);
  };
  return [
    {
      name: t("sessions.sessions"),
      value: sum === undefined ? undefined : formatNumber(sum.sessions),
    },
    {
      name: t("sessions.participants"),
      value: sum === undefined ? undefined : formatNumber(sum.participants),
      note: t("sessions.average", {
        value:
          average(sum?.participants ?? 0, (value) =>
            formatNumber(value, { maximumFractionDigits: 1 }),
          ) ?? "",
      }),
    },
    {
      name: t("sessions.billed"),
      value:
        sum === undefined ? undefined : t("sessions.minutes", { value: formatNumber(sum.minutes) }),
      note: t("sessions.billed_note"),
    },
    {
      name: t("sessions.length"),
      value: average(sum?.lengthMs ?? 0, formatDuration),
      note: t("sessions.length_note"),
    },
  ];
};

const Found = ({ rows, period }: { rows: readonly SessionRow[]; period: Period }) => {
  const { t } = useTranslation("statistics");
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={IconUsersGroup}
        title={t("sessions.empty")}
        text={t("sessions.empty_text")}
      />
    );
  }
  return (
    <>
      <SessionCharts rows={rows} period={period} />
      <Group justify="flex-end" mb="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveSessions(rows, period)}
        >
          {t("export.sessions")}
        </Button>
      </Group>
      <SessionList rows={rows} />
    </>
  );
};

const Sessions = ({ period }: SessionStatisticsProps) => {
  const { t } = useTranslation("statistics");
  const { enterprise } = useSession();
  const { service, type = "conference" } = useSearch({ from: "/signed-in/statistics" });
  const { data, error, refetch } = useQuery(
    sessionsQuery({ type, serviceKey: service, period, timeZone: enterprise.time_zone }),
  );
  const tiles = useSessionTiles(data);
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <Tiles label={t("tile.of_sessions")} tiles={tiles} />
      {data === undefined ? <Skeleton height={300} /> : <Found rows={data} period={period} />}
    </>
  );
};

/** Sessions that ended in the period: how many, how many people, what is billed. */
export const SessionStatistics = (props: SessionStatisticsProps) => {
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
};
