import { Button, Group, Pagination, Text } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../base/format.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useMay } from "../session.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { isNarrowed, pageOf, pageSize, type MeetingSearch } from "./list-search.ts";
import { meetingsQuery } from "./queries.ts";
import type { Meeting } from "./types.ts";

const NewMeeting = () => {
  const { t } = useTranslation("meetings");
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/meetings/new" {...props} />}
    >
      {t("list.new")}
    </Button>
  );
};

const Nothing = ({ search }: { search: MeetingSearch }) => {
  const { t } = useTranslation("meetings");
  const mayWrite = useMay("conferences.write");
  const kind = isNarrowed(search) ? "narrowed" : "none";
  return (
    <EmptyState
      icon={IconUsersGroup}
      title={t(`list.${kind}`)}
      text={t(`list.${kind}_text`)}
      action={kind === "none" && mayWrite ? <NewMeeting /> : undefined}
    />
  );
};

type PagesProps = Readonly<{ total: number; search: MeetingSearch; go: (page: number) => void }>;

const Pages = ({ total, search, go }: PagesProps) => {
  const { t } = useTranslation("meetings");
  const pages = Math.ceil(total / pageSize);
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="xs" c="dimmed">
        {t("list.total", { count: total, shown: formatNumber(total) })}
      </Text>
      {pages > 1 ? (
        <Pagination
          total={pages}
          value={pageOf(search)}
          onChange={go}
          size="sm"
          getControlProps={(control) => ({ "aria-label": t(`list.page_${control}`) })}
          getItemProps={(page) => ({ "aria-label": t("list.page", { page }) })}
        />
      ) : null}
    </Group>
  );
};

const Meetings = ({ search }: { search: MeetingSearch }) => {
  const { t } = useTranslation("meetings");
  const navigate = useNavigate({ from: "/meetings" });
  const { data, error, refetch } = useQuery(meetingsQuery(search));
  const columns = useColumns();
  const open = ({ id }: Meeting): void =>
    void navigate({ to: "/meetings/$conferenceId", params: { conferenceId: String(id) } });
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data?.total === 0) {
    return <Nothing search={search} />;
  }
  return (
    <>
      <DataTable
        name="meetings"
        label={t("list.title")}
        columns={columns}
        rows={data?.data}
        rowId={({ id }) => String(id)}
        onOpen={open}
      />
      {data === undefined ? null : (
        <Pages
          total={data.total}
          search={search}
          go={(page) => void navigate({ search: (was) => ({ ...was, page: String(page) }) })}
        />
      )}
    </>
  );
};

export const MeetingsPage = () => {
  const { t } = useTranslation("meetings");
  const search = useSearch({ from: "/signed-in/meetings" });
  const mayWrite = useMay("conferences.write");
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t("list.note")}
        actions={mayWrite ? <NewMeeting /> : undefined}
      />
      <Filters search={search} />
      <Meetings search={search} />
    </>
  );
};
