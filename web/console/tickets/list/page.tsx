import { Button, Group, Kbd, Pagination, Skeleton, Text } from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { IconPlus, IconTicket } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../base/format.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { Part } from "../../../components/part.tsx";
import { SidePanel } from "../../../components/side-panel.tsx";
import { useMay } from "../../session.ts";
import { listQuery } from "../queries.ts";
import type { ListedTicket } from "../types.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { isFiltered, pageOf, pageSize, toQuery, type ListSearch } from "./list-search.ts";
import { TicketCards } from "./ticket-cards.tsx";
import classes from "./list.module.css";
import { narrow } from "./narrow.ts";

/** Loaded with the first ticket that is opened: the list is what people come for. */
const TicketDetail = lazy(async () => ({
  default: (await import("../detail/ticket-detail.tsx")).TicketDetail,
}));

/** Changes part of what the address says; whatever narrows the list begins at its first page. */
const useListSearch = (): [ListSearch, (change: Partial<ListSearch>) => void] => {
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (change: Partial<ListSearch>): void => {
    const { page: _first, ...rest } = search;
    const keepsPage = "page" in change || "open" in change;
    const next = { ...(keepsPage ? search : rest), ...change };
    const given = Object.entries(next).filter(([, value]) => value !== undefined && value !== "");
    void navigate({
      to: ".",
      search: Object.fromEntries(given) as never,
      replace: !keepsPage,
      resetScroll: false,
    });
  };
  return [search, set];
};

const Nothing = ({ search, onReset }: { search: ListSearch; onReset: () => void }) => {
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
};

const NewButton = () => {
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
};

type FoundProps = Readonly<{
  search: ListSearch;
  set: (change: Partial<ListSearch>) => void;
}>;

type RowsProps = FoundProps & Readonly<{ tickets: readonly ListedTicket[] | undefined }>;

const Rows = ({ search, set, tickets }: RowsProps) => {
  const { t } = useTranslation("tickets");
  const columns = useColumns();
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  const open = (id: number): void => set({ open: String(id) });
  return isNarrow ? (
    <TicketCards tickets={tickets} onOpen={open} />
  ) : (
    <DataTable
      name="tickets"
      label={t("list.title")}
      columns={columns}
      rows={tickets}
      rowId={({ id }) => String(id)}
      onOpen={({ id }) => open(id)}
      openId={search.open}
    />
  );
};

const Foot = ({ search, set, total }: FoundProps & Readonly<{ total: number | undefined }>) => {
  const { t } = useTranslation("tickets");
  const pages = Math.ceil((total ?? 0) / pageSize);
  return (
    <Group justify="space-between" mt="sm" mih={32}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {total === undefined ? "" : t("list.total", { count: total, number: formatNumber(total) })}
      </Text>
      {pages > 1 ? (
        <Pagination
          size="sm"
          total={pages}
          value={pageOf(search)}
          onChange={(page) => set({ page: String(page) })}
          getControlProps={(control) => ({ "aria-label": t(`list.page.${control}`) })}
        />
      ) : null}
    </Group>
  );
};

const Found = ({ search, set }: FoundProps) => {
  const { data, error, refetch } = useQuery(listQuery(toQuery(search)));
  if (error !== null && data === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return data?.data.length === 0 ? (
    <div className={classes["nothing"]}>
      <Nothing search={search} onReset={() => set(nothingAsked)} />
    </div>
  ) : (
    <>
      <Rows search={search} set={set} tickets={data?.data} />
      <Foot search={search} set={set} total={data?.total} />
    </>
  );
};

const nothingAsked: Partial<ListSearch> = {
  ...{ state: "", agent: "", service: "", q: "", since: "", until: "" },
};

/** Tickets, and the one that was opened beside them. */
export const TicketsPage = () => {
  const { t } = useTranslation("tickets");
  const [search, set] = useListSearch();
  const navigate = useNavigate();
  const mayCreate = useMay("tickets.write");
  useHotkeys(mayCreate ? [["n", () => void navigate({ to: "/tickets/new" })]] : []);
  const close = (): void => set({ open: "" });
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t("list.note")}
        actions={mayCreate ? <NewButton /> : undefined}
      />
      <Filters search={search} set={set} />
      <Found search={search} set={set} />
      <SidePanel
        isOpen={search.open !== undefined}
        title={t("detail.title", { id: search.open ?? "" })}
        onClose={close}
      >
        {search.open === undefined ? null : (
          <Part placeholder={<Skeleton height={420} />}>
            <TicketDetail ticketId={Number(search.open)} isPanel onGone={close} />
          </Part>
        )}
      </SidePanel>
    </>
  );
};
