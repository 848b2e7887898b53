import { Button, Group } from "@mantine/core";
import { IconBuilding, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatBytes, formatNumber } from "../../../base/format.ts";
import type { Column } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { PagedTable } from "../../../components/paged-table.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { useSearchValues } from "../../use-search.ts";
import { useMay } from "../../session.ts";
import {
  enterpriseQuery,
  enterprisesQuery,
  type Enterprise,
  type EnterprisesSearch,
} from "./queries.ts";

const [EnterprisePanel, prepareEnterprisePanel] = lazyDialog(
  async () => (await import("./panel.tsx")).EnterprisePanel,
  { isOpen: ({ open }) => open !== undefined },
);

/** All enterprises of the platform, with quotas and managers. */
export function EnterprisesPage() {
  const { t } = useTranslation("platform");
  const [search, set] = useSearchValues<EnterprisesSearch>();
  const mayCreate = useMay("enterprises.create");
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="md">
        <SearchField
          label={t("list.search")}
          placeholder={t("list.search_hint")}
          value={search.q ?? ""}
          onChange={(q) => set({ q })}
        />
        {mayCreate ? (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onPointerEnter={prepareEnterprisePanel}
            onFocus={prepareEnterprisePanel}
            onClick={() => set({ open: "new" })}
          >
            {t("form.new")}
          </Button>
        ) : null}
      </Group>
      <div onPointerEnter={prepareEnterprisePanel} onFocus={prepareEnterprisePanel}>
        <Found search={search} set={set} />
      </div>
      <EnterprisePanel
        open={search.open}
        onClose={() => set({ open: "" })}
        onOpen={(id) => set({ open: String(id) })}
      />
    </>
  );
}

type FoundProps = Readonly<{
  search: EnterprisesSearch;
  set: (change: Partial<EnterprisesSearch>) => void;
}>;

function Found({ search, set }: FoundProps) {
  const { t } = useTranslation("platform");
  const result = useQuery(enterprisesQuery(search));
  const columns = useColumns();
  return (
    <PagedTable
      name="enterprises"
      label={t("part.enterprises")}
      columns={columns}
      query={result}
      onOpen={({ id }) => set({ open: String(id) })}
      openId={search.open}
      page={search.page}
      onPage={(page) => set({ page })}
      nothing={
        <EmptyState
          icon={IconBuilding}
          title={t("list.none_found")}
          text={t("list.none_text")}
          action={
            <Button variant="default" onClick={() => set({ q: "", page: "" })}>
              {t("list.all")}
            </Button>
          }
        />
      }
    />
  );
}

function useColumns(): Column<Enterprise>[] {
  const { t } = useTranslation("platform");
  return useMemo(() => {
    const bound = (value: number | null, format: (value: number) => string): string =>
      value === null ? t("quota.no_bound") : format(value);
    const quota = (id: string, read: (of: Enterprise["quotas"]) => string) => ({
      id,
      header: t(`column.${id}` as "column.users"),
      isNumber: true,
      isMinor: true,
      cell: ({ quotas }: Enterprise) => read(quotas),
    });
    return [
      { id: "name", header: t("field.name"), isFixed: true, cell: ({ name }) => name },
      {
        id: "id",
        header: t("column.id"),
        isNumber: true,
        isMinor: true,
        cell: ({ id }) => id,
      },
      {
        id: "solution",
        header: t("column.solution"),
        cell: (enterprise) => (
          <StateBadge meaning={enterprise.solution_enabled ? "good" : "neutral"}>
            {t(enterprise.solution_enabled ? "solution.on" : "solution.off")}
          </StateBadge>
        ),
      },
      {
        id: "managed_by",
        header: t("field.managed_by"),
        cell: (enterprise) => <ManagedBy id={enterprise.managed_by} />,
      },
      quota("users", ({ max_users: users }) => bound(users, formatNumber)),
      quota("media", ({ max_media_bytes: bytes }) => bound(bytes, formatBytes)),
      quota("sms", ({ max_sms_per_day: sms }) => formatNumber(sms)),
      {
        id: "time_zone",
        header: t("field.time_zone"),
        isMinor: true,
        cell: ({ time_zone }) => time_zone,
      },
      {
        id: "created",
        header: t("column.created"),
        isMinor: true,
        cell: (enterprise) => <RelativeTime at={enterprise.created} />,
      },
    ];
  }, [t]);
}

function ManagedBy({ id }: { id: number | null }) {
  const { data } = useQuery({ ...enterpriseQuery(id ?? 0), enabled: id !== null });
  return id === null ? "–" : (data?.name ?? `#${id}`);
}
