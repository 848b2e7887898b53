import { Button, Kbd } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlus, IconTicket } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { useSingleKeys } from "../../../components/single-keys.ts";
import { formatNumber } from "../../../base/format.ts";
import { isEmptyPage, pageOf } from "../../../base/paging.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { Pager } from "../../../components/pager.tsx";
import { useMay } from "../../session.ts";
import { useSearchValues } from "../../use-search.ts";
import { listQuery } from "../queries.ts";
import type { ListedTicket } from "../types.ts";
import { useWaitingWatch } from "../use-waiting.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { isFiltered, toQuery, unfiltered, type ListSearch } from "./list-search.ts";
import { TicketCards } from "./ticket-cards.tsx";
import classes from "./list.module.css";

/** The detail pane. */
const [LazyPanel, preparePanel] = lazyDialog(
  async () => (await import("./ticket-panel.tsx")).TicketPanel,
  { isOpen: ({ id }) => id !== undefined },
);

type FoundProps = Readonly<{
  search: ListSearch;
  set: (change: Partial<ListSearch>) => void;
}>;

/** Below this width the list shows cards. */
export const narrowScreen = "(max-width: 48em)";

/** The ticket list with the detail pane. */
export function TicketsPage() {
  const { t } = useTranslation("tickets");
  const [search, set] = useSearchValues<ListSearch>();
  const navigate = useNavigate();
  const mayCreate = useMay("tickets.write");
  useSingleKeys(mayCreate ? [["n", () => void navigate({ to: "/tickets/new" })]] : []);
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t("list.note")}
        actions={mayCreate ? <NewButton /> : undefined}
      />
      <Filters search={search} set={set} />
      <Found search={search} set={set} />
      <LazyPanel id={search.open} onClose={() => set({ open: "" })} />
    </>
  );
}

function Found({ search, set }: FoundProps) {
  const { t } = useTranslation("tickets");
  const { data, error, isFetching, refetch } = useQuery(listQuery(toQuery(search)));
  useWaitingWatch();
  if (error !== null && data === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return data?.total === 0 ? (
    <>
      <div className={classes["nothing"]}>
        <Nothing search={search} onReset={() => set(unfiltered)} />
      </div>
      {isFiltered(search) ? null : <GettingStarted />}
    </>
  ) : (
    <>
      <Rows search={search} set={set} tickets={data?.data} />
      <Pager
        words={(count) => t("list.total", { count, number: formatNumber(count) })}
        total={data?.total}
        isEmpty={isEmptyPage({ data, isFetching })}
        page={pageOf(search.page)}
        onPage={(page) => set({ page: String(page) })}
      />
    </>
  );
}

function Nothing({ search, onReset }: { search: ListSearch; onReset: () => void }) {
  const { t } = useTranslation("tickets");
  const mayCreate = useMay("tickets.write");
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={IconTicket}
        title={t("list.no_match")}
        text={t("list.no_match_text")}
        action={
          <Button variant="default" onClick={onReset}>
            {t("list.reset")}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={IconTicket}
      title={t("list.empty")}
      text={t(mayCreate ? "list.empty_text" : "list.empty_reading")}
      action={mayCreate ? <NewButton /> : undefined}
    />
  );
}

function NewButton() {
  const { t } = useTranslation("tickets");
  return (
    <Button
      component={Link}
      to="/tickets/new"
      leftSection={<IconPlus size={16} aria-hidden />}
      rightSection={
        <Kbd size="xs" className={classes["key"] ?? ""}>
          N
        </Kbd>
      }
    >
      {t("list.new")}
    </Button>
  );
}

type RowsProps = FoundProps & Readonly<{ tickets: readonly ListedTicket[] | undefined }>;

function Rows({ search, set, tickets }: RowsProps) {
  const { t } = useTranslation("tickets");
  const columns = useColumns();
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false });
  const open = (id: number): void => set({ open: String(id) });
  return isNarrow ? (
    <TicketCards tickets={tickets} onOpen={open} />
  ) : (
    <div role="presentation" onPointerEnter={preparePanel} onFocus={preparePanel}>
      <DataTable
        name="tickets"
        label={t("list.title")}
        columns={columns}
        rows={tickets}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) => open(id)}
        openId={search.open}
      />
    </div>
  );
}
