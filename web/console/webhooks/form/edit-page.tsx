import { Alert, Button, Group, Skeleton, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { differing } from "../../../base/changed-fields.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { changeWebhook, fetchWebhook, refreshWebhooks, webhookQuery } from "../data.ts";
import { useNameOf } from "../names.ts";
import { changedOf, inputOf, valuesOf, type FormValues } from "./values.ts";
import { WebhookForm } from "./webhook-form.tsx";
import type { Webhook } from "../types.ts";
import { PageFault } from "../../shell/page-fault.tsx";

export function EditWebhookPage() {
  const { t } = useTranslation("webhooks");
  const { webhookId } = useParams({ strict: false });
  const id = Number(webhookId);
  // The form keeps its initial data; a later version is compared on save.
  const { data, error, refetch } = useQuery({ ...webhookQuery(id), refetchInterval: false });
  const nameOf = useNameOf();
  if (error !== null && data === undefined) {
    return <PageFault error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <PageHeader title={data === undefined ? "…" : t("form.edit_title", { name: nameOf(data) })} />
      {data === undefined ? <Skeleton height={480} maw={1100} /> : <EditForm webhook={data} />}
    </>
  );
}

function EditForm({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const navigate = useNavigate();
  const client = useQueryClient();
  const [base, setBase] = useState(webhook);
  const [other, setOther] = useState<Webhook>();
  // Another user's change that was shown, and may be overwritten.
  const [accepted, setAccepted] = useState<string>();
  const params = { webhookId: String(webhook.id) };
  const leave = () => navigate({ to: "/settings/webhooks/$webhookId", params });

  const save = async (values: FormValues): Promise<boolean> => {
    const changed = changedOf(valuesOf(base), values);
    const now = await fetchWebhook(webhook.id);
    const isMet = now.modified !== accepted && theirs(base, now).some((field) => field in changed);
    if (isMet) {
      setOther(now);
      return false;
    }
    await changeWebhook(webhook.id, changed);
    await refreshWebhooks(client);
    showDone(t("form.saved"));
    await leave();
    return true;
  };
  return (
    <WebhookForm
      isNew={false}
      initialValues={valuesOf(base)}
      onSubmit={save}
      onCancel={() => void leave()}
      renderNotice={(form) =>
        other === undefined ? null : (
          <Conflict
            fields={theirs(base, other)}
            onTake={() => {
              form.setInitialValues(valuesOf(other));
              form.reset();
              setBase(other);
              setOther(undefined);
            }}
            onKeep={() => {
              setAccepted(other.modified);
              setOther(undefined);
            }}
          />
        )
      }
    />
  );
}

/** Fields that others changed since the form was opened. */
function theirs(base: Webhook, now: Webhook): string[] {
  return base.modified === now.modified
    ? []
    : differing(inputOf(valuesOf(base)), inputOf(valuesOf(now)));
}

type ConflictProps = Readonly<{
  fields: readonly string[];
  onTake: () => void;
  onKeep: () => void;
}>;

function Conflict({ fields, onTake, onKeep }: ConflictProps) {
  const { t } = useTranslation("webhooks");
  const names = fields.map((field) => t(`field.${field as "url"}`)).join(", ");
  return (
    <Alert color="yellow" icon={<IconUsers aria-hidden />} title={t("conflict.title")} role="alert">
      <Text size="sm">{t("conflict.text", { fields: names })}</Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={onTake}>
          {t("conflict.take")}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          {t("conflict.keep")}
        </Button>
      </Group>
    </Alert>
  );
}
