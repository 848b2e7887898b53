import { Button, Group, SimpleGrid, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconTrash, IconWorld } from "@tabler/icons-react";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { CopyText } from "../../../components/copy-button.tsx";
import { DataTable, type Column } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { fieldFaults } from "../../../components/field-faults.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useMay, useSession } from "../../session.ts";

type Domain = components["schemas"]["DomainList"]["data"][number];

/** Domains that may embed our pages and load the agent module. */
export function DomainsPage() {
  const { t } = useTranslation("settings");
  const { enterprise } = useSession();
  const mayChange = useMay("enterprises.write");
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(domainsQuery(enterprise.id));
  const [leaving, setLeaving] = useState<Domain>();
  const columns = useColumns(mayChange ? setLeaving : undefined);
  const remove = async (): Promise<void> => {
    const path = { enterpriseId: enterprise.id, domainId: leaving?.id ?? 0 };
    await call(
      api.DELETE("/api/enterprises/{enterpriseId}/domains/{domainId}", { params: { path } }),
    );
    await queries.invalidateQueries(domainsQuery(enterprise.id));
  };
  return (
    <>
      <PageHeader title={t("domains.title")} note={t("domains.note")} />
      {mayChange ? <AddDomain enterpriseId={enterprise.id} /> : null}
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 ? (
        <EmptyState icon={IconWorld} title={t("domains.none")} text={t("domains.none_note")} />
      ) : (
        <DataTable
          name="domains"
          label={t("domains.title")}
          columns={columns}
          rows={data?.data}
          rowId={({ id }) => String(id)}
        />
      )}
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t("domains.remove", { domain: leaving?.domain ?? "" })}
        action={t("base:action.delete")}
        isDangerous
        onConfirm={remove}
      >
        {t("domains.remove_note")}
      </Confirm>
    </>
  );
}

function useColumns(onDelete: ((domain: Domain) => void) | undefined): Column<Domain>[] {
  const { t } = useTranslation("settings");
  return useMemo(
    () => [
      {
        id: "domain",
        header: t("domains.domain"),
        isFixed: true,
        cell: (domain) => <CopyText value={domain.domain} name={t("domains.domain")} />,
      },
      {
        id: "alias",
        header: t("domains.alias"),
        cell: (domain) => <span className="mono">{domain.alias || "–"}</span>,
      },
      {
        id: "created",
        header: t("domains.since"),
        isMinor: true,
        cell: (domain) => <RelativeTime at={domain.created} />,
      },
      {
        id: "actions",
        header: "",
        isFixed: true,
        cell: (domain) =>
          onDelete === undefined ? null : (
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => onDelete(domain)}
            >
              {t("base:action.delete")}
            </Button>
          ),
      },
    ],
    [t, onDelete],
  );
}

function AddDomain({ enterpriseId }: { enterpriseId: number }) {
  const { t } = useTranslation("settings");
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { domain: "", alias: "" },
    validate: { domain: (value) => (value.trim() === "" ? t("base:form.required") : null) },
  });
  const adding = useMutation({
    mutationFn: ({ domain, alias }: typeof form.values) => {
      const input = { domain: domain.trim(), alias: alias.trim() };
      const body = input.alias === "" ? { domain: input.domain } : input;
      const params = { path: { enterpriseId } };
      return call(api.POST("/api/enterprises/{enterpriseId}/domains", { params, body }));
    },
    onSuccess: async ({ domain }) => {
      form.reset();
      await queries.invalidateQueries(domainsQuery(enterpriseId));
      showDone(t("domains.added", { domain }));
    },
    onError: (thrown) => form.setErrors(fieldFaults(thrown, () => t("domains.refused"))),
  });
  return (
    <Section title={t("domains.add")} note={t("domains.add_note")}>
      <form onSubmit={form.onSubmit((values) => adding.mutate(values))} noValidate>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t("domains.domain")}
            description={t("domains.domain_note")}
            placeholder="crm.example.com"
            maxLength={253}
            {...form.getInputProps("domain")}
          />
          <TextInput
            label={`${t("domains.alias")} (${t("base:form.optional")})`}
            description={t("domains.alias_note")}
            placeholder="video.crm.example.com"
            maxLength={253}
            {...form.getInputProps("alias")}
          />
        </SimpleGrid>
        {adding.isError ? <ErrorBox error={adding.error} /> : null}
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={adding.isPending}>
            {t("domains.allow")}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function domainsQuery(enterpriseId: number) {
  return queryOptions({
    queryKey: ["settings", "domains", enterpriseId],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/domains", { params: { path: { enterpriseId } } }),
      ),
  });
}
