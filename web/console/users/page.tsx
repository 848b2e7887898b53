import { Button } from "@mantine/core";
import { IconPlus, IconShieldCheck, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Pager, pageOf } from "../settings/pager.tsx";
import { useSearchValues } from "../settings/use-search.ts";
import { useMay } from "../session.ts";
import { useColumns } from "./columns.tsx";
import { UserFilters } from "./filters.tsx";
import { UserPanel } from "./panel.tsx";
import { usersQuery, type UsersSearch } from "./queries.ts";
import { RolesPanel } from "./roles-panel.tsx";

type FoundProps = Readonly<{
  search: UsersSearch;
  set: (change: Partial<UsersSearch>) => void;
}>;

const Found = ({ search, set }: FoundProps) => {
  const { t } = useTranslation("users");
  const { data, error, refetch } = useQuery(usersQuery(search));
  const columns = useColumns();
  if (error !== null && data === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data?.data.length === 0) {
    return (
      <EmptyState
        icon={IconUsers}
        title={t("list.none")}
        text={t("list.none_note")}
        action={
          <Button
            variant="default"
            onClick={() => set({ q: "", role: "", group: "", active: "", page: "" })}
          >
            {t("list.everybody")}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <DataTable
        name="users"
        label={t("list.title")}
        columns={columns}
        rows={data?.data}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) => set({ open: String(id) })}
        openId={search.open}
      />
      <Pager
        total={data?.total}
        page={pageOf(search.page)}
        onPage={(page) => set({ page: String(page) })}
      />
    </>
  );
};

/** Who works with the platform. */
export const UsersPage = () => {
  const { t } = useTranslation("users");
  const [search, set] = useSearchValues<UsersSearch>();
  const mayChange = useMay("users.write");
  const close = (): void => set({ open: "" });
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t(mayChange ? "list.note" : "list.note_reading")}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconShieldCheck size={16} aria-hidden />}
              onClick={() => set({ open: "roles" })}
            >
              {t("roles.title")}
            </Button>
            {mayChange ? (
              <Button
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => set({ open: "new" })}
              >
                {t("list.new")}
              </Button>
            ) : null}
          </>
        }
      />
      <UserFilters search={search} set={set} />
      <Found search={search} set={set} />
      <RolesPanel isOpen={search.open === "roles"} onClose={close} />
      <UserPanel
        open={search.open === "roles" ? undefined : search.open}
        onClose={close}
        onOpen={(id) => set({ open: String(id) })}
      />
    </>
  );
};
