import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { createWebhook, refreshWebhooks } from "../data.ts";
import { keepFreshSecret } from "../fresh-secret.ts";
import { emptyValues, inputOf, type FormValues } from "./values.ts";
import { WebhookForm } from "./webhook-form.tsx";

export function NewWebhookPage() {
  const { t } = useTranslation("webhooks");
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = async (values: FormValues): Promise<boolean> => {
    const { id, secret } = await createWebhook(inputOf(values));
    keepFreshSecret(id, secret);
    void refreshWebhooks(client);
    await navigate({ to: "/settings/webhooks/$webhookId", params: { webhookId: String(id) } });
    return true;
  };
  return (
    <>
      <PageHeader title={t("form.new_title")} note={t("form.new_note")} />
      <WebhookForm
        isNew
        initialValues={emptyValues}
        onSubmit={create}
        onCancel={() => void navigate({ to: "/settings/webhooks" })}
      />
    </>
  );
}
