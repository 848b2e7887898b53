import { Button, Group, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconFilterOff, IconSend } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { SplitView, useHasRoom } from "../../../components/split-view.tsx";
import { LazyDeliveryPanel } from "./lazy-delivery-panel.ts";
import { useColumns } from "./columns.tsx";
import { LogFilters } from "./filter-bar.tsx";
import { LogTable } from "./log-table.tsx";
import { pageOfRow, type LogPage } from "./pages.ts";
import { filtersOf, hasFilters, toLogQuery, type LogChange, type LogSearch } from "./search.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { Count, Toolbar } from "./toolbar.tsx";
import { useLog, type Log } from "./use-log.ts";
import { useSelection } from "./use-selection.ts";
import classes from "./log-page.module.css";

/** The delivery log, newest first, with filters. */
export function DeliveryLog() {
  const bench = useWorkbench();
  const { filters, query, log, openId, openRow, close, filterBy, selecting } = bench;
  const hasRoom = useHasRoom();
  const isSplit = hasRoom && openId !== undefined;
  const { shown, chosen, toggle } = useColumns(isSplit);
  useEscape(openId, close);
  const isEmpty = !log.isLoading && log.rows.length === 0 && !log.isReading && log.error === null;
  const list = (
    <>
      <div className={classes["above"]}>
        {selecting.selection.size === 0 ? <Count log={log} search={filters} /> : null}
        <SelectionBar selecting={selecting} />
        <Toolbar
          {...{ log, query, chosen, isTail: bench.isTail }}
          onToggle={toggle}
          onTail={bench.setTail}
        />
      </div>
      {isEmpty && !log.isPaused ? (
        <Nothing search={filters} onClear={() => filterBy({})} />
      ) : (
        <LogTable
          {...{ log, shown, openId, selecting }}
          onOpen={({ id }) => openRow(id)}
          onVisibleRow={bench.setVisibleRow}
          fault={faultOf(log)}
        />
      )}
      <End log={log} />
    </>
  );
  return (
    <>
      <LogFilters
        search={filters}
        onChange={(change) => filterBy({ ...filters, ...change })}
        onReplace={filterBy}
      />
      <SplitView
        isOpen={isSplit}
        list={list}
        pane={
          <LazyDeliveryPanel openId={openId} rows={log.rows} onOpen={openRow} onClose={close} />
        }
      />
    </>
  );
}

function useWorkbench() {
  const { search, go } = useLogSearch();
  const { delivery: open, tail } = search;
  const key = JSON.stringify(filtersOf(search));
  const filters = useMemo(() => JSON.parse(key) as LogSearch, [key]);
  const query = useMemo(() => toLogQuery(filters), [filters]);
  const [visibleRow, setVisibleRow] = useState(0);
  const isTail = tail !== undefined;
  const log = useLog(query, {
    isTail,
    visiblePage: (pages: readonly LogPage[]) => pageOfRow(pages, visibleRow),
  });
  useTail(log, isTail && visibleRow === 0);
  return {
    ...{ filters, query, log, isTail, setVisibleRow },
    selecting: useSelection(key, log.rows),
    openId: open === undefined ? undefined : Number(open),
    /** A new search closes the open delivery. */
    filterBy: (next: LogChange) => go({ ...next, tail }),
    setTail: (isOn: boolean) => go({ ...search, tail: isOn ? "1" : undefined }, true),
    openRow: (id: number) => go({ ...search, delivery: String(id) }, open !== undefined),
    close: () => go({ ...search, delivery: undefined }),
  };
}

/** The search in the URL; changes keep the scroll position. */
function useLogSearch() {
  const search = useSearch({ from: "/signed-in/dashboard/deliveries/log" });
  const navigate = useNavigate();
  const go = useCallback(
    (next: LogChange, replace = false): void => {
      const input = Object.entries(next).filter(([, value]) => value !== undefined);
      void navigate({
        to: "/dashboard/deliveries/log",
        search: Object.fromEntries(input),
        ...{ replace, resetScroll: false },
      });
    },
    [navigate],
  );
  return { search, go };
}

/** With live tail on and the list at its top, new rows are added automatically. */
function useTail({ newer, showNewer }: Log, isOn: boolean): void {
  const isWanted = isOn && newer.count > 0;
  useEffect(() => {
    if (isWanted) {
      showNewer();
    }
  }, [isWanted, showNewer]);
}

/** Layers that handle Escape themselves. */
const layers = "[role='dialog'], [role='menu'], [role='listbox']";

/** Escape closes the detail pane and returns the focus to its row. */
function useEscape(openId: number | undefined, onClose: () => void): void {
  const hasRoom = useHasRoom();
  useWindowEvent("keydown", (event) => {
    const isIn = event.target instanceof Element && event.target.closest(layers) !== null;
    if (event.key === "Escape" && openId !== undefined && hasRoom && !isIn) {
      onClose();
      document.querySelector<HTMLElement>(`[data-delivery="${openId}"]`)?.focus();
    }
  });
}

function Nothing({ search, onClear }: { search: LogSearch; onClear: () => void }) {
  const { t } = useTranslation("deliveries");
  return hasFilters(search) ? (
    <EmptyState
      icon={IconFilterOff}
      title={t("log.none")}
      text={t("log.none_note")}
      action={
        <Button size="xs" variant="default" onClick={onClear}>
          {t("base:filter.clear_all")}
        </Button>
      }
    />
  ) : (
    <EmptyState icon={IconSend} title={t("log.empty")} text={t("log.empty_note")} />
  );
}

function faultOf(log: Log) {
  return log.error === null ? null : <ErrorBox error={log.error} onRetry={log.retry} />;
}

/** The end of the list, with the reason. */
function End({ log }: { log: Log }) {
  const { t } = useTranslation("deliveries");
  if (log.isPaused) {
    return (
      <Group justify="center" py="md">
        <Text size="sm" c="dimmed">
          {t("log.scanned", { number: formatNumber(log.examined) })}
        </Text>
        <Button size="xs" variant="default" onClick={log.more}>
          {t("log.go_on")}
        </Button>
      </Group>
    );
  }
  if (log.rows.length === 0 || log.error !== null) {
    return null;
  }
  const text = log.isReading ? t("base:state.loading") : t("base:table.end");
  return (
    <Text size="xs" c="dimmed" ta="center" py="sm">
      {log.isReading || !log.hasMore ? text : "\u00a0"}
    </Text>
  );
}
