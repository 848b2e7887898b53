import { Anchor, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";
import type { Session } from "../../base/session.ts";
import { SignInForm } from "../../components/sign-in-form.tsx";

type SessionEndedProps = Readonly<{
  /** Login of the ended session. */
  login: string;
  onSignedIn: (session: Session) => void;
  /** Goes to the sign-in page and discards unsaved input. */
  onLeave: () => void;
  onClose: () => void;
}>;

/**
 * Covers the page after its session ended: unsaved input is kept for after the sign-in. The page is
 * hidden, because another person may be at the screen.
 */
export function SessionEnded({ login, onSignedIn, onLeave, onClose }: SessionEndedProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      title={t("session_ended.title")}
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      overlayProps={{ backgroundOpacity: 0.6, blur: 10 }}
      zIndex={500}
    >
      <Stack gap="md">
        <Text size="sm">{t("session_ended.text")}</Text>
        <SignInForm login={login} onSignedIn={onSignedIn} />
        <Anchor component="button" type="button" size="sm" onClick={onLeave}>
          {t("session_ended.leave")}
        </Anchor>
      </Stack>
    </Modal>
  );
}
