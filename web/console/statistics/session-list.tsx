import { Skeleton, Table, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatExact } from "../../base/format.ts";
import { CopyText } from "../../components/copy-button.tsx";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { SidePanel } from "../../components/side-panel.tsx";
import { sessionQuery, sessionsQuery, type SessionsOf } from "./queries.ts";
import type { SessionRow } from "./session-figures.ts";
import { rowsOfPages } from "./session-windows.ts";

/** The sessions, newest first. */
export function SessionList({ of }: { of: SessionsOf }) {
  const { t } = useTranslation("statistics");
  const { session } = useSearch({ from: "/signed-in/statistics" });
  const navigate = useNavigate({ from: "/statistics" });
  const columns = useColumns();
  const found = useInfiniteQuery(sessionsQuery(of));
  const rows = useMemo(() => found.data && rowsOfPages(found.data.pages), [found.data]);
  const open = (id: string | undefined): void =>
    void navigate({ search: (was) => ({ ...was, session: id }), resetScroll: false });
  if (found.error !== null) {
    return <ErrorBox error={found.error} onRetry={() => void found.refetch()} />;
  }
  return (
    <>
      <DataTable
        name="sessions"
        label={t("sessions.list")}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        onOpen={({ id }) => open(id)}
        openId={session}
      />
      <MoreButton
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onMore={() => void found.fetchNextPage()}
      />
      <SidePanel
        isOpen={session !== undefined}
        title={t("session.title")}
        onClose={() => open(undefined)}
      >
        {session === undefined ? null : <WhoWasThere sessionId={session} />}
      </SidePanel>
    </>
  );
}

function useColumns(): Column<SessionRow>[] {
  const { t } = useTranslation("statistics");
  return useMemo(
    () => [
      {
        id: "end",
        header: t("session.end"),
        cell: (session) => <RelativeTime at={session.end_time} />,
      },
      {
        id: "length",
        header: t("session.length"),
        cell: (session) => formatDuration(lengthOf(session)),
        isNumber: true,
      },
      {
        id: "billed",
        header: t("session.billed"),
        cell: (session) => formatDuration(session.billing_duration * 1_000),
        isNumber: true,
      },
      {
        id: "participants",
        header: t("session.participants"),
        cell: (session) => session.total_participant_count,
        isNumber: true,
      },
      {
        id: "organizer",
        header: t("session.organizer"),
        cell: (session) => session.organizer.name,
        isMinor: true,
      },
      {
        id: "service",
        header: t("session.service"),
        cell: (session) => session.service.name,
        isMinor: true,
      },
    ],
    [t],
  );
}

function lengthOf({ start_time, end_time }: SessionRow): number {
  return Date.parse(end_time) - Date.parse(start_time);
}

function WhoWasThere({ sessionId }: { sessionId: string }) {
  const { t, find } = useTranslation("statistics");
  const { data, error, refetch } = useQuery(sessionQuery(sessionId));
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return <Skeleton height={200} />;
  }
  return (
    <>
      <p>
        <CopyText value={data.id} name={t("session.id")} />
      </p>
      <p>
        {formatExact(new Date(data.start_time))} – {formatExact(new Date(data.end_time))}
      </p>
      <Title order={3} mb="xs">
        {t("session.who")}
      </Title>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("session.name")}</Table.Th>
            <Table.Th>{t("session.role")}</Table.Th>
            <Table.Th ta="right">{t("session.there")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.participants.map(({ name, role, start_time, duration }, at) => (
            <Table.Tr key={`${start_time} ${name} ${at}`}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{find(`role.${role}`) ?? role}</Table.Td>
              <Table.Td ta="right">{formatDuration(duration * 1_000)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
