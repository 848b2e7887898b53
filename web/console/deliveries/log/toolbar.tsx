/** The toolbar of the log: count and actions. */
import { ActionIcon, Button, Checkbox, Menu, Switch, Text, Tooltip } from "@mantine/core";
import { IconColumns3, IconDownload, IconRepeat } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { useMay } from "../../session.ts";
import { toReplaySearch } from "../replays/criteria.ts";
import { counted } from "../labels.ts";
import { columnNames, type ColumnName } from "./columns.tsx";
import { exportAddress } from "./export-address.ts";
import { hasFilters, type LogQuery, type LogSearch } from "./search.ts";
import type { Log } from "./use-log.ts";
import classes from "./log-page.module.css";

type ColumnProps = Readonly<{
  chosen: readonly ColumnName[];
  onToggle: (name: ColumnName) => void;
}>;

type ToolsProps = ColumnProps &
  Readonly<{
    log: Log;
    query: LogQuery;
    isTail: boolean;
    onTail: (isOn: boolean) => void;
  }>;

export function Toolbar({ log, query, isTail, onTail, ...columns }: ToolsProps) {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const hasRows = log.rows.length > 0;
  return (
    <div className={classes["tools"]}>
      <Switch
        size="xs"
        label={t("log.tail")}
        checked={isTail}
        onChange={({ currentTarget }) => onTail(currentTarget.checked)}
      />
      {hasRows ? <ExportMenu query={query} /> : null}
      {mayWrite && hasRows ? <ReplayThese query={query} /> : null}
      <ColumnMenu {...columns} />
    </div>
  );
}

function ExportMenu({ query }: { query: LogQuery }) {
  const { t } = useTranslation("deliveries");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          {t("export.title")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("export.note")}</Menu.Label>
        <Menu.Item component="a" href={exportAddress(query, "csv")} download>
          {t("export.csv")}
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress(query, "json")} download>
          {t("export.json")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ReplayThese({ query }: { query: LogQuery }) {
  const { t } = useTranslation("deliveries");
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconRepeat size={14} aria-hidden />}
      renderRoot={(props) => (
        <Link {...props} to="/dashboard/deliveries/replays" search={toReplaySearch(query)} />
      )}
    >
      {t("replay.these")}
    </Button>
  );
}

function ColumnMenu({ chosen, onToggle }: ColumnProps) {
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
            aria-checked={chosen.includes(name)}
            disabled={chosen.length === 1 && chosen.includes(name)}
            onClick={() => onToggle(name)}
          >
            <Checkbox
              size="xs"
              label={t(`column.${name}`)}
              checked={chosen.includes(name)}
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
}

/** The number of matches, exact or as a lower bound. */
export function Count({ log, search }: { log: Log; search: LogSearch }) {
  const { t } = useTranslation("deliveries");
  const { total, rows, hasMore, examined, isLoading, error } = log;
  if (isLoading || (error !== null && rows.length === 0)) {
    return <Text size="xs">&nbsp;</Text>;
  }
  if (total === undefined && hasFilters(search) && examined > rows.length + 1) {
    return (
      <Text size="xs" c="dimmed" role="status">
        {t("log.matches", { ...counted(rows.length), examined: formatNumber(examined) })}
      </Text>
    );
  }
  return (
    <Text size="xs" c="dimmed" role="status">
      {total === undefined
        ? t(hasMore ? "log.read" : "log.all", counted(rows.length))
        : t(total.isExact ? "log.all" : "log.at_least", counted(total.total))}
    </Text>
  );
}
