import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { AlertsForm } from "./form.tsx";
import { OwnAlerts } from "./own.tsx";
import { alertsQuery } from "./queries.ts";

/** Settings of the alert mails about webhooks. */
export function AlertsPage() {
  const { t } = useTranslation("settings");
  const { data, error, refetch } = useQuery(alertsQuery);
  return (
    <>
      <PageHeader title={t("alerts.title")} note={t("alerts.note")} />
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? (
        <Stack>
          <Skeleton height={220} />
          <Skeleton height={220} />
        </Stack>
      ) : null}
      {data === undefined ? null : (
        <>
          <AlertsForm settings={data} />
          <OwnAlerts settings={data} />
        </>
      )}
    </>
  );
}
