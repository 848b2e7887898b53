import { Button } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { isEmptyPage, pageOf } from "../../../base/paging.ts";
import { DataTable, type Column } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { Pager } from "../../../components/pager.tsx";
import { SidePanel } from "../../../components/side-panel.tsx";
import { useMay, useSession } from "../../session.ts";
import { useSearchValues } from "../../use-search.ts";
import { groupsPageQuery, type UserGroup } from "../queries.ts";
import { GroupForm } from "./form.tsx";

export type GroupsSearch = Readonly<{ page?: string; open?: string }>;

/** Groups, which limit the tickets of managers and the services of agents. */
export function GroupsPage() {
  const { t } = useTranslation("users");
  const { enterprise } = useSession();
  const [search, set] = useSearchValues<GroupsSearch>();
  const mayChange = useMay("users.write");
  const { data, error, isFetching, refetch } = useQuery(
    groupsPageQuery(enterprise.id, search.page),
  );
  const columns = useColumns();
  const create = (): void => set({ open: "new" });
  return (
    <>
      <PageHeader
        title={t("groups.title")}
        note={t("groups.note")}
        actions={mayChange ? <NewButton onNew={create} /> : undefined}
      />
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 ? (
        <EmptyState
          icon={IconUsersGroup}
          title={t("groups.none")}
          text={t("groups.none_note")}
          action={mayChange ? <NewButton onNew={create} /> : undefined}
        />
      ) : (
        <>
          <DataTable
            name="groups"
            label={t("groups.title")}
            columns={columns}
            rows={data?.data}
            rowId={({ id }) => String(id)}
            onOpen={({ id }) => set({ open: String(id) })}
            openId={search.open}
          />
          <Pager
            total={data?.total}
            isEmpty={isEmptyPage({ data, isFetching })}
            page={pageOf(search.page)}
            onPage={(next) => set({ page: String(next) })}
          />
        </>
      )}
      <Panel
        open={search.open}
        group={data?.data.find(({ id }) => String(id) === search.open)}
        onClose={() => set({ open: "" })}
      />
    </>
  );
}

const shownMembers = 4;

function useColumns(): Column<UserGroup>[] {
  const { t } = useTranslation("users");
  return useMemo(
    () => [
      { id: "name", header: t("field.name"), isFixed: true, cell: ({ name }) => name },
      {
        id: "count",
        header: t("groups.members"),
        isNumber: true,
        cell: ({ members }) => formatNumber(members.length),
      },
      {
        id: "members",
        header: t("groups.who"),
        isMinor: true,
        cell: ({ members }) => {
          const names = members.slice(0, shownMembers).map(({ login }) => login);
          const rest = members.length - names.length;
          return [...names, ...(rest > 0 ? [t("groups.others", { count: rest })] : [])].join(", ");
        },
      },
    ],
    [t],
  );
}

function NewButton({ onNew }: { onNew: () => void }) {
  const { t } = useTranslation("users");
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
      {t("groups.new")}
    </Button>
  );
}

type PanelProps = Readonly<{
  open: string | undefined;
  group: UserGroup | undefined;
  onClose: () => void;
}>;

function Panel({ open, group, onClose }: PanelProps) {
  const { t } = useTranslation("users");
  const isNew = open === "new";
  return (
    <SidePanel
      isOpen={isNew || (open !== undefined && group !== undefined)}
      onClose={onClose}
      title={isNew ? t("groups.new") : (group?.name ?? "")}
    >
      {isNew || group !== undefined ? (
        <GroupForm key={group?.id ?? "new"} group={group} onDone={onClose} />
      ) : null}
    </SidePanel>
  );
}
