import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "../base/i18n.ts";

/** A password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      maxLength={1024}
      visibilityToggleButtonProps={{ "aria-label": t("sign_in.show_password") }}
      {...props}
    />
  );
}
