import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import type { Webhook } from "../types.ts";

type Field = Webhook["undecryptable"][number];

/** By the tab on which they are replaced. */
const fieldsOfTab = {
  settings: ["headers", "oauth2", "clientCertificate"],
  signing: ["secrets", "publicKeys"],
} as const satisfies Record<string, readonly Field[]>;

/** Which values cannot be decrypted, what happens to deliveries meanwhile, and what to do. */
export function UndecryptableNotice({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t("lost.title")}
    >
      <Stack gap="xs">
        <Text size="sm">{t(`lost.meanwhile.${webhook.mode}`)}</Text>
        {(["settings", "signing"] as const).map((tab) => (
          <TabLine key={tab} webhook={webhook} tab={tab} />
        ))}
      </Stack>
    </Alert>
  );
}

type TabLineProps = Readonly<{ webhook: Webhook; tab: keyof typeof fieldsOfTab }>;

/** The values of a tab, with a link to it; nothing if it has none. */
function TabLine({ webhook, tab }: TabLineProps) {
  const { t } = useTranslation("webhooks");
  const fields = fieldsOfTab[tab].filter((field) => webhook.undecryptable.includes(field));
  return fields.length === 0 ? null : (
    <Text size="sm">
      {t("lost.fields", { fields: fields.map((field) => t(`lost.name.${field}`)).join(", ") })}{" "}
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/settings/webhooks/$webhookId"
            params={{ webhookId: String(webhook.id) }}
            search={{ tab }}
          />
        )}
      >
        {t(`lost.to.${tab}`)}
      </Anchor>
    </Text>
  );
}
