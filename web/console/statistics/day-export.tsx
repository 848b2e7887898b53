import { ActionIcon, Group, Skeleton, Table, Title } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconTableOff } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { DateRangeField } from "../../components/date-range-field.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { useSession } from "../session.ts";
import { addDays, isDay } from "./days.ts";
import type { Period } from "./period.ts";
import { dayRowsQuery } from "./queries.ts";
import type { TicketRow } from "./ticket-figures.ts";
import classes from "./statistics.module.css";

type DayExportProps = Readonly<{ period: Period; today: string }>;

/** The exported rows of one day. */
export function DayExport({ period, today }: DayExportProps) {
  const { t } = useTranslation("statistics");
  const search = useSearch({ from: "/signed-in/statistics" });
  const result = search.day ?? period.until;
  const day = result < period.since || result > period.until ? period.until : result;
  const label = t("export.title");
  return (
    <section aria-label={label}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2}>{label}</Title>
        <DayChoice day={day} period={period} />
      </Group>
      <DayRows key={day} day={day} today={today} label={label} />
    </section>
  );
}

function DayChoice({ day, period }: { day: string; period: Period }) {
  const { t } = useTranslation("statistics");
  const navigate = useNavigate({ from: "/statistics" });
  const choose = (next: string): void => {
    if (isDay(next) && next >= period.since && next <= period.until) {
      void navigate({ search: (was) => ({ ...was, day: next }), resetScroll: false });
    }
  };
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t("export.before")}
        disabled={day <= period.since}
        onClick={() => choose(addDays(day, -1))}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <DateRangeField
        type="date"
        size="sm"
        aria-label={t("export.day")}
        value={day}
        min={period.since}
        max={period.until}
        onApply={choose}
      />
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t("export.after")}
        disabled={day >= period.until}
        onClick={() => choose(addDays(day, 1))}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  );
}

function DayRows({ day, today, label }: { day: string; today: string; label: string }) {
  const { t } = useTranslation("statistics");
  const { enterprise } = useSession();
  const found = useInfiniteQuery(dayRowsQuery({ enterpriseId: enterprise.id, day, today }));
  const rows = useMemo(() => found.data?.pages.flatMap(({ data }) => data), [found.data]);
  if (found.error !== null) {
    return <ErrorBox error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (rows === undefined) {
    return <Skeleton height={240} />;
  }
  if (rows.length === 0) {
    return (
      <EmptyState icon={IconTableOff} title={t("export.empty")} text={t("export.empty_text")} />
    );
  }
  return (
    <>
      <ExportTable rows={rows} label={label} />
      <MoreButton
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onMore={() => void found.fetchNextPage()}
      />
    </>
  );
}

/** The keys stay as in the export: French in every language. */
function ExportTable({ rows, label }: { rows: readonly TicketRow[]; label: string }) {
  const keys = Object.keys(rows[0] ?? {}) as (keyof TicketRow)[];
  return (
    <div className={classes["export"]} role="region" aria-label={label} tabIndex={0} data-scrolls>
      <Table stickyHeader highlightOnHover verticalSpacing={5} aria-label={label}>
        <Table.Thead lang="fr">
          <Table.Tr>
            {keys.map((key) => (
              <Table.Th key={key}>{key}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.ID}>
              {keys.map((key) => (
                <Table.Td
                  key={key}
                  title={String(row[key] ?? "")}
                  className={typeof row[key] === "number" ? (classes["figures"] ?? "") : ""}
                >
                  {row[key]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
