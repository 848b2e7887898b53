import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { CopyLink } from "../copy-link.tsx";
import { useTranslation } from "../../../base/i18n.ts";

export type Invited = Readonly<{
  name: string | null;
  contact: string | null;
  link: string;
  channels: readonly string[];
}>;

type LinkProps = Readonly<{ invited: Invited; onMore: () => void }>;

/** How the invitation was sent, and the link to send it by other means. */
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
        <CopyLink url={invited.link} />
        <Button variant="subtle" onClick={onMore}>
          {t("expert.more")}
        </Button>
      </Group>
    </Stack>
  );
}
