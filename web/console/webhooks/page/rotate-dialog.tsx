import { Alert, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatWholeDuration } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { useRestoreFocus } from "../../../components/use-restore-focus.ts";
import { refreshWebhooks, rotateKey, rotateSecret } from "../data.ts";
import { keepFreshSecret } from "../fresh-secret.ts";
import type { Webhook } from "../types.ts";

/** What to rotate. */
export type What = "secret" | "key";

/** Options for how long the old secret or key stays valid, in hours. */
const overlaps = [0, 1, 24, 72, 168] as const;

type RotateProps = Readonly<{
  what: What;
  webhook: Webhook;
  onClose: () => void;
}>;

/** Rotates the secret or key, with an overlap for the old one. */
export function RotateDialog({ what, webhook, onClose }: RotateProps) {
  useRestoreFocus();
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  const client = useQueryClient();
  const [hours, setHours] = useState("24");
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const rotate = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      if (what === "secret") {
        const { secret } = await rotateSecret(webhook.id, Number(hours));
        keepFreshSecret(webhook.id, secret);
      } else {
        await rotateKey(webhook.id, Number(hours));
      }
      await refreshWebhooks(client);
      onClose();
    } catch (thrown) {
      setFault(thrown);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t(`rotate.${what}_title`)}>
      <Stack>
        <Text size="sm">{t(`rotate.${what}_text`)}</Text>
        <Select
          label={t("rotate.overlap")}
          value={hours}
          onChange={(next) => setHours(next ?? "24")}
          data={overlaps.map((value) => ({
            value: String(value),
            label: value === 0 ? t("rotate.at_once") : formatWholeDuration(value * 3_600_000),
          }))}
        />
        {hours === "0" ? (
          <Alert color="yellow" role="note">
            {t("rotate.at_once_warning")}
          </Alert>
        ) : null}
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common("action.cancel")}
          </Button>
          <Button loading={isBusy} onClick={() => void rotate()}>
            {t("rotate.action")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
