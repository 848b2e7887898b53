import { Group, Select, TextInput } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { MoreButton } from "../../../components/more-button.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { useSession } from "../../session.ts";
import { AuditPanel } from "./panel.tsx";
import { AuditTable, type AuditEntry } from "./table.tsx";

const objects = [
  ...(["user", "enterprise", "service", "group", "domain", "button"] as const),
  ...(["template", "survey", "webhook", "api_token"] as const),
];
type AuditObject = (typeof objects)[number];

const isObject = (value: string | undefined): value is AuditObject =>
  objects.some((object) => object === value);

const pageSize = 50;

const useEntries = (search: { object?: string; since?: string; until?: string }) => {
  const { enterprise } = useSession();
  const { object, since, until } = search;
  return useInfiniteQuery({
    queryKey: ["settings", "audit", enterprise.id, object, since, until],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/audit", {
          params: {
            path: { enterpriseId: enterprise.id },
            query: {
              limit: pageSize,
              offset: pageParam,
              ...(isObject(object) ? { object } : {}),
              ...(since === undefined ? {} : { since }),
              ...(until === undefined ? {} : { until }),
            },
          },
        }),
      ),
    getNextPageParam: ({ total }, pages) =>
      pages.length * pageSize < total ? pages.length * pageSize : undefined,
  });
};

const Filters = () => {
  const { t } = useTranslation("settings");
  const search = useSearch({ from: "/signed-in/settings-layout/settings/audit" });
  const navigate = useNavigate({ from: "/settings/audit" });
  const set = (name: "object" | "since" | "until", value: string | null): void => {
    const { [name]: _before, ...rest } = search;
    void navigate({
      to: "/settings/audit",
      search: value === null || value === "" ? rest : { ...rest, [name]: value },
    });
  };
  return (
    <Group mb="md" align="flex-end">
      <Select
        label={t("audit.object")}
        data={objects.map((value) => ({ value, label: t(`audit.objects.${value}`) }))}
        value={search.object ?? null}
        onChange={(value) => set("object", value)}
        placeholder={t("audit.every")}
        clearable
        w={200}
      />
      <TextInput
        type="date"
        label={t("audit.since")}
        value={search.since ?? ""}
        onChange={(event) => set("since", event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t("audit.until")}
        value={search.until ?? ""}
        onChange={(event) => set("until", event.currentTarget.value)}
      />
    </Group>
  );
};

/** Who changed what, and when. */
export const AuditPage = () => {
  const { t } = useTranslation("settings");
  const search = useSearch({ from: "/signed-in/settings-layout/settings/audit" });
  const entries = useEntries(search);
  const [open, setOpen] = useState<AuditEntry>();
  const rows = entries.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <PageHeader title={t("audit.title")} note={t("audit.note")} />
      <Filters />
      {entries.isError ? (
        <ErrorBox error={entries.error} onRetry={() => void entries.refetch()} />
      ) : null}
      {rows?.length === 0 ? (
        <EmptyState icon={IconHistory} title={t("audit.none")} text={t("audit.none_note")} />
      ) : (
        <AuditTable rows={rows} onOpen={setOpen} openId={open?.id} />
      )}
      {rows === undefined || rows.length === 0 ? null : (
        <MoreButton
          hasMore={entries.hasNextPage}
          isLoading={entries.isFetchingNextPage}
          onMore={() => void entries.fetchNextPage()}
        />
      )}
      <AuditPanel entry={open} onClose={() => setOpen(undefined)} />
    </>
  );
};
