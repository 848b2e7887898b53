import { SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { Section } from "../../../components/section.tsx";
import { QuotaUsage } from "../../../components/quota-usage.tsx";
import { useSession } from "../../session.ts";
import { CompanyForm } from "./form.tsx";

/** The user's own enterprise. */
export function CompanyPage() {
  const { t } = useTranslation("settings");
  const { enterprise } = useSession();
  const { data, error, refetch } = useQuery(companyQuery(enterprise.id));
  return (
    <>
      <PageHeader title={t("company.title")} note={t("company.note")} />
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? (
        <Stack>
          <Skeleton height={260} />
          <Skeleton height={110} />
        </Stack>
      ) : null}
      {data === undefined ? null : (
        <>
          <CompanyForm key={data.id} company={data} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Section title={t("company.key")} note={t("company.key_note")}>
              <CopyText value={data.apiKey} name={t("company.key")} />
            </Section>
            <Section title={t("company.quotas")}>
              <QuotaUsage enterpriseId={data.id} queryKey={["settings", "quota", data.id]} />
            </Section>
          </SimpleGrid>
        </>
      )}
    </>
  );
}

export function companyQuery(enterpriseId: number) {
  return queryOptions({
    queryKey: ["settings", "company", enterpriseId],
    queryFn: () =>
      call(api.GET("/api/enterprises/{enterpriseId}", { params: { path: { enterpriseId } } })),
  });
}
