import { Group, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { showDone, showRefusal } from "../../../components/show-fault.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useMay } from "../../session.ts";
import { refreshWebhooks, removeUndecryptable, type RemovableSetting } from "../data.ts";

type UndecryptableValueProps = Readonly<{ webhookId: number; field: RemovableSetting }>;

/** Stands for a setting that cannot be decrypted. Administrators can remove it. */
export function UndecryptableValue({ webhookId, field }: UndecryptableValueProps) {
  const { t } = useTranslation("webhooks");
  const client = useQueryClient();
  const mayWrite = useMay("webhooks.write");
  const remove = async (): Promise<void> => {
    if (await removeUndecryptable(webhookId, field)) {
      showDone(t("lost.removed"));
    } else {
      showRefusal(t("lost.changed"));
    }
    await refreshWebhooks(client);
  };
  return (
    <Group gap="xs">
      <StateBadge meaning="bad">{t("lost.badge")}</StateBadge>
      {mayWrite ? (
        <ConfirmButton
          variant="default"
          c="var(--bad)"
          leftSection={<IconTrash size={14} aria-hidden />}
          label={t(`lost.remove.${field}`)}
          title={t(`lost.ask.${field}`)}
          isDangerous
          onConfirm={remove}
        >
          <Text size="sm">{t(`lost.then.${field}`)}</Text>
          <Text size="sm" mt="xs">
            {t("lost.final")}
          </Text>
        </ConfirmButton>
      ) : null}
    </Group>
  );
}
