import { Button, Stack, Text, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useTranslation } from "../base/i18n.ts";

/** Where the browser keeps no cookie in a frame of another site. */
export function Blocked() {
  const { t } = useTranslation("quick-invitation");
  return (
    <Stack gap="sm" align="flex-start">
      <Title order={1}>{t("blocked")}</Title>
      <Text size="sm">{t("blocked_text")}</Text>
      <Button
        component="a"
        href={location.href}
        target="_blank"
        rel="noopener"
        leftSection={<IconExternalLink size={16} aria-hidden />}
      >
        {t("new_tab")}
      </Button>
    </Stack>
  );
}
