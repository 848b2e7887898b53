import { Button } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { useMay } from "../../session.ts";
import { webhooksQuery } from "../data.ts";
import { WebhookTable } from "./webhook-table.tsx";

const mostWebhooks = 20;

/** All webhooks of the enterprise, initially sorted by severity. */
export function WebhooksPage() {
  const { t } = useTranslation("webhooks");
  const { data } = useQuery(webhooksQuery);
  const mayWrite = useMay("webhooks.write");
  const count = data?.length ?? 0;
  const mayAdd = mayWrite && count > 0 && count < mostWebhooks;
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t(count === mostWebhooks ? "list.full" : "list.note", { most: mostWebhooks })}
        actions={mayAdd ? <NewButton /> : undefined}
      />
      <Rows mayWrite={mayWrite} />
    </>
  );
}

function Rows({ mayWrite }: { mayWrite: boolean }) {
  const list = useQuery(webhooksQuery);
  const { data, error, refetch } = list;
  if (data === undefined && error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return data?.length === 0 ? <First mayWrite={mayWrite} /> : <WebhookTable list={list} />;
}

function First({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation("webhooks");
  return (
    <EmptyState
      icon={IconWebhook}
      title={t("list.empty_title")}
      text={t(mayWrite ? "list.empty_text" : "list.empty_read")}
      action={mayWrite ? <NewButton /> : undefined}
    />
  );
}

function NewButton() {
  const { t } = useTranslation("webhooks");
  return (
    <Button
      component={Link}
      to="/settings/webhooks/new"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t("list.new")}
    </Button>
  );
}
