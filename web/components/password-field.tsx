import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "../base/i18n.ts";

/** A password field with a show/hide button. */
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
