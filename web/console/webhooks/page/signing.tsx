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
  const { signatures, headerPresets, publicKeys, secrets, undecryptable } = webhook;
  const areKeysLost = undecryptable.includes("publicKeys");
  const isSecretLost = undecryptable.includes("secrets");
  const hasKeys = publicKeys.length > 0 || areKeysLost;
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
      {signatures.includes("v1") || headerPresets.length > 0 || isSecretLost ? (
        <Signers what="secret" signers={secrets} isLost={isSecretLost} />
      ) : null}
      {hasKeys ? <Signers what="key" signers={publicKeys} isLost={areKeysLost} /> : null}
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

const prefixes = { secret: signingPrefixes.secret, key: signingPrefixes.publicKey };

const lostSigner: Signer = { until: null };

type SignersProps = Readonly<{ what: What; signers: readonly Signer[]; isLost: boolean }>;

/** The signer that cannot be decrypted, or the active ones with their expiry, newest first. */
function Signers({ what, signers, isLost }: SignersProps) {
  const { t } = useTranslation("webhooks");
  return (
    <ul className={classes["signers"]} aria-label={t(`sign.${what}s`)}>
      {(isLost ? [lostSigner] : signers).map(({ until, key }, at) => (
        <li key={key ?? `${at} ${until ?? ""}`}>
          {key === undefined ? (
            <span className="mono">{prefixes[what] + maskedValue}</span>
          ) : (
            <CopyText value={key} name={t("sign.key")} />
          )}
          <span>
            {until === null ? (
              <StateBadge meaning={isLost ? "bad" : "good"}>
                {t(isLost ? "page.undecryptable" : "sign.current")}
              </StateBadge>
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
