import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "../../base/i18n.ts";

/** The password of the meeting cannot be decrypted, so nobody can check what guests enter. */
export function LostPassword() {
  const { t } = useTranslation("meetings");
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle aria-hidden />}
      title={t("lost.title")}
    >
      {t("lost.text")}
    </Alert>
  );
}
