import { Alert, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatWholeDuration } from "../../../base/format.ts";
import { CopyText } from "../../../components/copy.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useMay } from "../../session.ts";
import { refreshWebhooks, rotateKey, rotateSecret } from "../data.ts";
import { keepFreshSecret } from "../fresh-secret.ts";
import { maskedValue } from "../form/values.ts";
import { Section } from "../section.tsx";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

type What = "secret" | "key";

/** Hours for which what signed before goes on signing. */
const overlaps = [0, 1, 24, 72, 168] as const;

type RotateProps = Readonly<{
  what: What;
  webhook: Webhook;
  onClose: () => void;
}>;

const RotateDialog = ({ what, webhook, onClose }: RotateProps) => {
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
};

type Signer = Readonly<{ until: string | null; key?: string }>;

/** What signs now, the newest first, and until when. */
const Signers = ({ what, signers }: { what: What; signers: readonly Signer[] }) => {
  const { t } = useTranslation("webhooks");
  return (
    <ul className={classes["signers"]} aria-label={t(`sign.${what}s`)}>
      {signers.map(({ until, key }, at) => (
        <li key={key ?? `${at} ${until ?? ""}`}>
          {key === undefined ? (
            <span className="mono">whsec_{maskedValue}</span>
          ) : (
            <CopyText value={key} name={t("sign.key")} />
          )}
          <span>
            {until === null ? (
              <StateBadge meaning="good">{t("sign.current")}</StateBadge>
            ) : (
              <Text size="sm" component="span">
                {t("sign.until")} <RelativeTime at={until} />
              </Text>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
};

/** How it is signed: what signs until when, and how to change it without losing anything. */
export const Signing = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation("webhooks");
  const mayWrite = useMay("webhooks.write");
  const [rotated, setRotated] = useState<What>();
  const { signatures, headerPresets, publicKeys, secrets } = webhook;
  const hasKeys = publicKeys.length > 0;
  const presetNames = headerPresets.map((preset) => t(`sign.preset.${preset}`));
  const buttonOf = (what: What) => (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={() => setRotated(what)}
    >
      {t(`rotate.${what}`)}
    </Button>
  );
  return (
    <Section
      title={t("page.signing")}
      note={[...signatures.map((one) => t(`sign.word.${one}`)), ...presetNames].join(" · ")}
      actions={
        mayWrite ? (
          <Group gap="xs">
            {hasKeys ? buttonOf("key") : null}
            {buttonOf("secret")}
          </Group>
        ) : null
      }
    >
      {signatures.includes("v1") || headerPresets.length > 0 ? (
        <Signers what="secret" signers={secrets} />
      ) : null}
      {hasKeys ? <Signers what="key" signers={publicKeys} /> : null}
      <Text size="xs" c="dimmed">
        {t("secret.masked")}
      </Text>
      {rotated === undefined ? null : (
        <RotateDialog what={rotated} webhook={webhook} onClose={() => setRotated(undefined)} />
      )}
    </Section>
  );
};
