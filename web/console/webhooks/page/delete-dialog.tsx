import { List, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useRestoreFocus } from "../../../components/use-restore-focus.ts";
import { deleteWebhook, refreshWebhooks, standingQuery } from "../data.ts";
import { outstandingOf } from "../health-state.ts";
import { useNameOf } from "../names.ts";
import type { Webhook } from "../types.ts";

type DeleteDialogProps = Readonly<{ webhook: Webhook; onClose: () => void }>;

/** Describes the consequences before deletion. */
export function DeleteDialog({ webhook, onClose }: DeleteDialogProps) {
  useRestoreFocus();
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: standing } = useQuery(standingQuery(webhook.id));
  const name = useNameOf()(webhook);
  const lost = standing === undefined ? undefined : outstandingOf(standing);
  const remove = async (): Promise<void> => {
    await deleteWebhook(webhook.id);
    showDone(t("danger.done", { name }));
    await navigate({ to: "/settings/webhooks" });
    client.removeQueries({ queryKey: ["webhooks", "one", webhook.id] });
    void refreshWebhooks(client);
  };
  return (
    <Confirm
      isOpen
      isDangerous
      onClose={onClose}
      title={t("danger.ask", { name })}
      action={common("action.delete")}
      onConfirm={remove}
    >
      <List size="sm" spacing={4}>
        <List.Item>
          {lost === undefined
            ? t("danger.lost_unknown")
            : t("danger.lost", {
                count: lost.count,
                formatted: `${formatNumber(lost.count)}${lost.more ? "+" : ""}`,
              })}
        </List.Item>
        <List.Item>{t("danger.secrets", { count: webhook.secrets.length })}</List.Item>
        <List.Item>{t("danger.log")}</List.Item>
      </List>
      <Text size="sm" mt="sm">
        {t("danger.instead")}
      </Text>
    </Confirm>
  );
}
