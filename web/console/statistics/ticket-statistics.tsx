import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatNumber, formatShare } from "../../base/format.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { useSession } from "../session.ts";
import { DayExport } from "./day-export.tsx";
import { Download } from "./download.tsx";
import type { Period } from "./period.ts";
import { ticketSummaryQuery } from "./queries.ts";
import { TicketCharts } from "./ticket-charts.tsx";
import type { TicketFigures } from "./ticket-figures.ts";
import { TicketGroups } from "./ticket-groups.tsx";
import { Tiles, type Tile } from "./tiles.tsx";

type TicketStatisticsProps = Readonly<{ period: Period; today: string }>;

export function TicketStatistics({ period, today }: TicketStatisticsProps) {
  const { t } = useTranslation("statistics");
  const { enterprise } = useSession();
  const { data, error, refetch } = useQuery(ticketSummaryQuery(enterprise.id, period));
  const tiles = useTiles(data?.total);
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Stack gap={0}>
      <Tiles label={t("tile.of_tickets")} tiles={tiles} />
      <TicketCharts summary={data} />
      {data === undefined ? null : <TicketGroups summary={data} />}
      {/* Rendered once the height above is known, to avoid layout shift. */}
      <div hidden={data === undefined}>
        <Group justify="flex-end" mb="xs">
          <Download
            path={`/api/enterprises/${enterprise.id}/tickets-stats`}
            query={{ ...period, format: "CSV" }}
            label={t("export.period")}
          />
        </Group>
        <DayExport period={period} today={today} />
      </div>
    </Stack>
  );
}

const noCalls = { calls: 0, call_seconds: 0, photos: 0, videos: 0 };

function useTiles(sum: TicketFigures | undefined): Tile[] {
  const { t } = useTranslation("statistics");
  const of = (read: (of: TicketFigures) => string): string | undefined =>
    sum === undefined ? undefined : read(sum);
  /** No note for a count of zero. */
  const noteOf = (count: number | undefined, note: string): string | undefined =>
    count === undefined || count === 0 ? undefined : note;
  const whole = sum ?? { ...{ tickets: 0, answered: 0, emails: 0, sms: 0 }, ...noCalls };
  const { tickets, answered, emails, sms, calls, call_seconds: seconds, photos, videos } = whole;
  return [
    { name: t("tile.tickets"), value: of(() => formatNumber(tickets)) },
    {
      name: t("tile.answered"),
      value: of(() => (tickets === 0 ? "–" : formatShare(answered / tickets))),
      note: noteOf(
        tickets,
        t("tile.answered_note", { part: formatNumber(answered), whole: formatNumber(tickets) }),
      ),
    },
    {
      name: t("tile.invitations"),
      value: of(() => formatNumber(emails + sms)),
      note: noteOf(
        emails + sms,
        t("tile.invitations_note", {
          of_emails: emails,
          emails: formatNumber(emails),
          sms: formatNumber(sms),
        }),
      ),
    },
    {
      name: t("tile.calls"),
      value: of(() => formatNumber(calls)),
      note: noteOf(seconds, t("tile.calls_note", { duration: formatDuration(seconds * 1_000) })),
    },
    {
      name: t("tile.call"),
      value: of(() => (calls === 0 ? "–" : formatDuration((seconds / calls) * 1_000))),
      note: t("tile.call_note"),
    },
    {
      name: t("tile.media"),
      value: of(() => formatNumber(photos + videos)),
      note: noteOf(
        photos + videos,
        t("tile.media_note", {
          ...{ of_photos: photos, of_videos: videos },
          photos: formatNumber(photos),
          videos: formatNumber(videos),
        }),
      ),
    },
  ];
}
