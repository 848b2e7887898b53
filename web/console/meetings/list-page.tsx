import { Button } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import { pageOf } from "../../base/paging.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Pager } from "../../components/pager.tsx";
import { useMay } from "../session.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { isNarrowed, pageSize, type MeetingSearch } from "./list-search.ts";
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

const Meetings = ({ search }: { search: MeetingSearch }) => {
  const { t } = useTranslation("meetings");
  const navigate = useNavigate({ from: "/meetings" });
  const { data, error, refetch } = useQuery(meetingsQuery(search));
  const columns = useColumns();
  const open = ({ id }: Meeting): void =>
    void navigate({ to: "/meetings/$conferenceId", params: { conferenceId: String(id) } });
  if (error !== null && data === undefined) {
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
        <Pager
          size="xs"
          words={(count) => t("list.total", { count, shown: formatNumber(count) })}
          total={data.total}
          page={pageOf(search.page)}
          pageSize={pageSize}
          onPage={(page) => void navigate({ search: (was) => ({ ...was, page: String(page) }) })}
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
