import { Button, Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useMay } from "../../session.ts";
import { signaturePresets, maskedValue } from "../../../../src/contracts/request-headers.ts";
import { signingPrefixes } from "../../../../src/contracts/subscriptions.ts";
import { Section } from "../section.tsx";
import type { What } from "./rotate-dialog.tsx";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

const [RotateDialog, prepareRotateDialog] = lazyDialog(
  async () => (await import("./rotate-dialog.tsx")).RotateDialog,
);

/** Active secrets and keys with their expiry, and their rotation. */
export function Signing({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const mayWrite = useMay("webhooks.write");
  const [rotated, setRotated] = useState<What>();
  const { signatures, headerPresets, publicKeys, secrets } = webhook;
  const hasKeys = publicKeys.length > 0;
  const presetNames = headerPresets.map((preset) =>
    t("sign.preset", { platform: signaturePresets[preset].platform }),
  );
  const buttonOf = (what: What) => (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} aria-hidden />}
      onPointerEnter={prepareRotateDialog}
      onFocus={prepareRotateDialog}
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
}

type Signer = Readonly<{ until: string | null; key?: string }>;

/** Active signers with their expiry, newest first. */
function Signers({ what, signers }: { what: What; signers: readonly Signer[] }) {
  const { t } = useTranslation("webhooks");
  return (
    <ul className={classes["signers"]} aria-label={t(`sign.${what}s`)}>
      {signers.map(({ until, key }, at) => (
        <li key={key ?? `${at} ${until ?? ""}`}>
          {key === undefined ? (
            <span className="mono">{signingPrefixes.secret + maskedValue}</span>
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
}
