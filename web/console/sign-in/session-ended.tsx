import { Anchor, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";
import type { Session } from "../../base/session.ts";
import { SignInForm } from "../../components/sign-in-form.tsx";

type SessionEndedProps = Readonly<{
  /** Whoever was signed in. */
  login: string;
  onSignedIn: (session: Session) => void;
  /** Leaves the page for the sign-in, with all that was typed. */
  onLeave: () => void;
  onClose: () => void;
}>;

/**
 * Above the page whose session ended: what was typed there stays, and whoever signs in again goes on
 * with it. The page itself is not to be read meanwhile: somebody else may sit there by now.
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
