import { ActionIcon, Button, Checkbox, Group, Menu, Text, Tooltip } from "@mantine/core";
import { IconColumns3, IconFilterOff, IconRepeat, IconSend } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { useMay } from "../../session.ts";
import { toReplaySearch } from "../replays/criteria.ts";
import { counted } from "../words.ts";
import { Beside } from "./beside.ts";
import { columnNames, useColumns, type ColumnName } from "./columns.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { LogTable } from "./log-table.tsx";
import { pageOfRow, type LogPage } from "./pages.ts";
import { hasFilters, toLogQuery, type LogChange, type LogSearch } from "./search.ts";
import { useLog, type Log } from "./use-log.ts";

type ColumnProps = Readonly<{ shown: readonly ColumnName[]; onToggle: (name: ColumnName) => void }>;

const ColumnMenu = ({ shown, onToggle }: ColumnProps) => {
  const { t } = useTranslation("deliveries");
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Tooltip label={t("base:table.columns")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            visibleFrom="sm"
            aria-label={t("base:table.columns")}
          >
            <IconColumns3 size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {columnNames.map((name) => (
          <Menu.Item
            key={name}
            role="menuitemcheckbox"
            aria-checked={shown.includes(name)}
            disabled={shown.length === 1 && shown.includes(name)}
            onClick={() => onToggle(name)}
          >
            <Checkbox
              size="xs"
              label={t(`column.${name}`)}
              checked={shown.includes(name)}
              readOnly
              tabIndex={-1}
              aria-hidden
              style={{ pointerEvents: "none" }}
            />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** How many there are, as far as anybody knows. */
const Count = ({ log, search }: { log: Log; search: LogSearch }) => {
  const { t } = useTranslation("deliveries");
  const { total, rows, hasMore, examined, isLoading } = log;
  if (isLoading) {
    return <Text size="xs">&nbsp;</Text>;
  }
  const number =
    total === undefined
      ? t(hasMore ? "log.read" : "log.all", counted(rows.length))
      : t(total.isExact ? "log.all" : "log.at_least", counted(total.total));
  const looked =
    total === undefined && hasFilters(search) && examined > rows.length + 1
      ? ` ${t("log.examined", { number: formatNumber(examined) })}`
      : "";
  return (
    <Text size="xs" c="dimmed" role="status">
      {number}
      {looked}
    </Text>
  );
};

const Nothing = ({ search, onClear }: { search: LogSearch; onClear: () => void }) => {
  const { t } = useTranslation("deliveries");
  return hasFilters(search) ? (
    <EmptyState
      icon={IconFilterOff}
      title={t("log.none")}
      text={t("log.none_note")}
      action={
        <Button size="xs" variant="default" onClick={onClear}>
          {t("filter.clear_all")}
        </Button>
      }
    />
  ) : (
    <EmptyState icon={IconSend} title={t("log.empty")} text={t("log.empty_note")} />
  );
};

/** Below the list: why it ends there. */
const End = ({ log }: { log: Log }) => {
  const { t } = useTranslation("deliveries");
  if (log.error !== null) {
    return <ErrorBox error={log.error} onRetry={log.retry} />;
  }
  if (log.isPaused) {
    return (
      <Group justify="center" py="md">
        <Text size="sm" c="dimmed">
          {t("log.examined", { number: formatNumber(log.examined) })}
        </Text>
        <Button size="xs" variant="default" onClick={log.more}>
          {t("log.go_on")}
        </Button>
      </Group>
    );
  }
  const text = log.isReading ? t("base:state.loading") : t("base:table.end");
  return log.rows.length === 0 && !log.isReading ? null : (
    <Text size="xs" c="dimmed" ta="center" py="sm">
      {log.isReading || !log.hasMore ? text : "\u00a0"}
    </Text>
  );
};

/** The search of the address, and how to change it without losing the place in the list. */
const useLogSearch = () => {
  const search = useSearch({ from: "/signed-in/dashboard/deliveries/log" });
  const navigate = useNavigate();
  const go = useCallback(
    (next: LogSearch, replace = false): void => {
      void navigate({ to: "/dashboard/deliveries/log", search: next, replace, resetScroll: false });
    },
    [navigate],
  );
  const change = (changed: LogChange): void => {
    const given = Object.entries({ ...search, delivery: undefined, ...changed });
    go(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
  };
  return { search, go, change };
};

/** What became of every delivery, newest first, by whatever somebody looks for. */
export const DeliveryLog = () => {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const { search, go, change } = useLogSearch();
  const { delivery: open, ...filters } = search;
  const key = JSON.stringify(filters);
  const query = useMemo(() => toLogQuery(JSON.parse(key) as LogSearch), [key]);
  const [lookedAt, setLookedAt] = useState(0);
  const log = useLog(query, (pages: readonly LogPage[]) => pageOfRow(pages, lookedAt));
  const { shown, toggle } = useColumns();
  const openId = open === undefined ? undefined : Number(open);
  const openRow = (id: number): void =>
    go({ ...search, delivery: String(id) }, openId !== undefined);
  const isEmpty = !log.isLoading && log.rows.length === 0 && !log.isReading && log.error === null;
  return (
    <>
      <FilterBar search={filters} onChange={change} onReplace={go} />
      <Group justify="space-between" mb={4} wrap="nowrap" mih={30}>
        <Count log={log} search={filters} />
        <Group gap="xs" wrap="nowrap">
          {mayWrite && log.rows.length > 0 ? (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRepeat size={14} aria-hidden />}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/dashboard/deliveries/replays"
                  search={toReplaySearch(query)}
                />
              )}
            >
              {t("replay.these")}
            </Button>
          ) : null}
          <ColumnMenu shown={shown} onToggle={toggle} />
        </Group>
      </Group>
      {isEmpty && !log.isPaused ? (
        <Nothing search={filters} onClear={() => go({})} />
      ) : (
        <LogTable
          log={log}
          shown={shown}
          openId={openId}
          onOpen={({ id }) => openRow(id)}
          onLookAt={setLookedAt}
        />
      )}
      <End log={log} />
      <Beside openId={openId} rows={log.rows} onOpen={openRow} onClose={() => go(filters)} />
    </>
  );
};
