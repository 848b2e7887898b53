import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { forgetFreshSecret } from "../fresh-secret.ts";

/** Shows a new secret once. */
export function FreshSecret({ secret }: { secret: string }) {
  const { t } = useTranslation("webhooks");
  return (
    <Alert
      color="accent"
      icon={<IconKey aria-hidden />}
      title={t("secret.fresh_title")}
      role="status"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t("secret.fresh_text")}</Text>
        <Group gap="sm">
          <CopyText value={secret} name={t("secret.name")} />
          <Button size="xs" variant="default" onClick={forgetFreshSecret}>
            {t("secret.kept")}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
