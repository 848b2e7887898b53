import { Button } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { useMay } from "../session.ts";
import { useSearchValues } from "../use-search.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { isNarrowed, meetingSearch, pageSize, type MeetingSearch } from "./list-search.ts";
import { meetingsQuery } from "./queries.ts";

export function MeetingsPage() {
  const { t } = useTranslation("meetings");
  const [values, set] = useSearchValues();
  const search = meetingSearch(values);
  const mayWrite = useMay("conferences.write");
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t("list.note")}
        actions={mayWrite ? <NewMeeting /> : undefined}
      />
      <Filters search={search} set={set} />
      <Meetings search={search} set={set} />
    </>
  );
}

type FoundProps = Readonly<{
  search: MeetingSearch;
  set: (change: Readonly<Record<string, string>>) => void;
}>;

function Meetings({ search, set }: FoundProps) {
  const { t } = useTranslation("meetings");
  const navigate = useNavigate();
  const result = useQuery(meetingsQuery(search));
  const columns = useColumns();
  return (
    <PagedTable
      name="meetings"
      label={t("list.title")}
      columns={columns}
      query={result}
      onOpen={({ id }) =>
        void navigate({ to: "/meetings/$conferenceId", params: { conferenceId: String(id) } })
      }
      nothing={<Nothing search={search} />}
      words={(count) => t("list.total", { count, shown: formatNumber(count) })}
      page={search.page}
      pageSize={pageSize}
      onPage={(page) => set({ page })}
    />
  );
}

function Nothing({ search }: { search: MeetingSearch }) {
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
}

function NewMeeting() {
  const { t } = useTranslation("meetings");
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/meetings/new" {...props} />}
    >
      {t("list.new")}
    </Button>
  );
}
