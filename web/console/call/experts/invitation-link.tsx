import { Alert, Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";

export type Invited = Readonly<{
  name: string | null;
  contact: string | null;
  link: string;
  channels: readonly string[];
}>;

type LinkProps = Readonly<{ invited: Invited; onMore: () => void }>;

/** How the invitation went out, and the link, for those who want to send it themselves. */
export function InvitationLink({ invited, onMore }: LinkProps) {
  const { t } = useTranslation("call");
  const name = invited.name ?? invited.contact ?? t("expert.someone");
  return (
    <Stack gap="sm">
      <Alert color="green" role="status" title={t("expert.invited", { name })}>
        {t(invited.channels.length === 0 ? "expert.not_sent" : "expert.sent")}
      </Alert>
      <Text size="sm" c="dimmed">
        {t("expert.link_text")}
      </Text>
      <Group justify="space-between">
        <CopyButton value={invited.link}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={
                copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />
              }
            >
              {t(copied ? "copied" : "copy_link")}
            </Button>
          )}
        </CopyButton>
        <Button variant="subtle" onClick={onMore}>
          {t("expert.more")}
        </Button>
      </Group>
    </Stack>
  );
}
