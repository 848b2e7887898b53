import { Button } from "@mantine/core";
import { IconPlus, IconShieldCheck, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { lazyDialog } from "../../components/lazy-dialog.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useSearchValues } from "../use-search.ts";
import { useMay } from "../session.ts";
import { useColumns } from "./columns.tsx";
import { UserFilters } from "./filters.tsx";
import { unfiltered, usersQuery, type UsersSearch } from "./queries.ts";
import { RolesPanel } from "./roles-panel.tsx";

const [UserPanel, prepareUserPanel] = lazyDialog(
  async () => (await import("./panel.tsx")).UserPanel,
  {
    isOpen: ({ open }) => open !== undefined,
  },
);

/** The user list. */
export function UsersPage() {
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
                onPointerEnter={prepareUserPanel}
                onFocus={prepareUserPanel}
                onClick={() => set({ open: "new" })}
              >
                {t("list.new")}
              </Button>
            ) : null}
          </>
        }
      />
      <UserFilters search={search} set={set} />
      <div onPointerEnter={prepareUserPanel} onFocus={prepareUserPanel}>
        <Found search={search} set={set} />
      </div>
      <RolesPanel isOpen={search.open === "roles"} onClose={close} />
      <UserPanel
        open={search.open === "roles" ? undefined : search.open}
        onClose={close}
        onOpen={(id) => set({ open: String(id) })}
      />
    </>
  );
}

type FoundProps = Readonly<{
  search: UsersSearch;
  set: (change: Partial<UsersSearch>) => void;
}>;

function Found({ search, set }: FoundProps) {
  const { t } = useTranslation("users");
  const result = useQuery(usersQuery(search));
  const columns = useColumns();
  return (
    <PagedTable
      name="users"
      label={t("list.title")}
      columns={columns}
      query={result}
      onOpen={({ id }) => set({ open: String(id) })}
      openId={search.open}
      page={search.page}
      onPage={(page) => set({ page })}
      nothing={
        <EmptyState
          icon={IconUsers}
          title={t("list.none")}
          text={t("list.none_note")}
          action={
            <Button variant="default" onClick={() => set(unfiltered)}>
              {t("list.everybody")}
            </Button>
          }
        />
      }
    />
  );
}
