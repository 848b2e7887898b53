import { Button, Group, Progress, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatNumber, formatShare } from "../../base/format.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { showFault } from "../../components/show-fault.tsx";
import { useSession } from "../session.ts";
import { DayExport } from "./day-export.tsx";
import { daysBetween } from "./days.ts";
import type { Period } from "./period.ts";
import { dayFiguresQuery, fetchTicketsCsv } from "./queries.ts";
import { saveFile } from "./save-file.ts";
import { TicketCharts } from "./ticket-charts.tsx";
import { sumOf, type TicketFigures } from "./ticket-figures.ts";
import { Tiles, type Tile } from "./tiles.tsx";

type TicketStatisticsProps = Readonly<{ period: Period; today: string }>;

/** The figures of each day, as far as they are there. */
const useFigures = ({ period, today }: TicketStatisticsProps) => {
  const { enterprise } = useSession();
  const { since, until } = period;
  const days = useMemo(() => daysBetween(since, until), [since, until]);
  const found = useQueries({
    queries: days.map((day) => dayFiguresQuery({ enterpriseId: enterprise.id, day, today })),
    combine: (results) => ({
      figures: results.map(({ data }) => data),
      share: results.filter(({ data }) => data !== undefined).length / results.length,
      error: results.find(({ error }) => error !== null)?.error ?? null,
      retry: () =>
        results.filter(({ error }) => error !== null).forEach((one) => void one.refetch()),
    }),
  });
  const figures = useMemo(() => found.figures.filter((one) => one !== undefined), [found.figures]);
  return { ...found, days, figures };
};

const useTiles = (sum: TicketFigures | undefined): Tile[] => {
  const { t } = useTranslation("statistics");
  const of = (read: (of: TicketFigures) => string): string | undefined =>
    sum === undefined ? undefined : read(sum);
  const share = (part: number, whole: number): string =>
    whole === 0 ? "–" : formatShare(part / whole);
  return [
    { name: t("tile.tickets"), value: of(({ tickets }) => formatNumber(tickets)) },
    {
      name: t("tile.answered"),
      value: of(({ answered, tickets }) => share(answered, tickets)),
      note: of(({ answered, tickets }) =>
        t("tile.answered_note", { part: formatNumber(answered), whole: formatNumber(tickets) }),
      ),
    },
    {
      name: t("tile.invitations"),
      value: of(({ emails, sms }) => formatNumber(emails + sms)),
      note: of(({ emails, sms }) =>
        t("tile.invitations_note", { emails: formatNumber(emails), sms: formatNumber(sms) }),
      ),
    },
    {
      name: t("tile.calls"),
      value: of(({ calls }) => formatNumber(calls)),
      note: of(({ callSeconds }) =>
        t("tile.calls_note", { duration: formatDuration(callSeconds * 1_000) }),
      ),
    },
    {
      name: t("tile.call"),
      value: of(({ calls, callSeconds }) =>
        calls === 0 ? "–" : formatDuration((callSeconds / calls) * 1_000),
      ),
      note: t("tile.call_note"),
    },
    {
      name: t("tile.media"),
      value: of(({ photos, videos }) => formatNumber(photos + videos)),
      note: of(({ photos, videos }) =>
        t("tile.media_note", { photos: formatNumber(photos), videos: formatNumber(videos) }),
      ),
    },
  ];
};

const DownloadPeriod = ({ period }: { period: Period }) => {
  const { t } = useTranslation("statistics");
  const { enterprise } = useSession();
  const [isBusy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      const csv = await fetchTicketsCsv(enterprise.id, period);
      saveFile(csv, `tickets-stats-${period.since}-${period.until}.csv`);
    } catch (thrown) {
      showFault(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isBusy}
      onClick={() => void download()}
    >
      {t("export.period")}
    </Button>
  );
};

export const TicketStatistics = (props: TicketStatisticsProps) => {
  const { period, today } = props;
  const { t } = useTranslation("statistics");
  const { days, figures, share, error, retry } = useFigures(props);
  const isWhole = figures.length === days.length;
  const tiles = useTiles(isWhole ? sumOf(figures) : undefined);
  if (error !== null) {
    return <ErrorBox error={error} onRetry={retry} />;
  }
  return (
    <Stack gap={0}>
      <Progress
        value={share * 100}
        size={3}
        mb="xs"
        aria-label={t("loading")}
        style={{ visibility: isWhole ? "hidden" : "visible" }}
      />
      <Tiles label={t("tile.of_tickets")} tiles={tiles} />
      <TicketCharts days={days} figures={isWhole ? figures : undefined} />
      <Group justify="flex-end" mb="xs">
        <DownloadPeriod period={period} />
      </Group>
      <DayExport period={period} today={today} />
    </Stack>
  );
};
