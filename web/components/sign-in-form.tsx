import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "../base/i18n.ts";
import { signIn, type Session } from "../base/session.ts";
import { PasswordField } from "./password-field.tsx";
import { ErrorBox } from "./error-box.tsx";

/** Login and password; used by every page that needs somebody signed in. */
export const SignInForm = ({ onSignedIn }: { onSignedIn: (session: Session) => void }) => {
  const { t } = useTranslation();
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { login: "", password: "" },
    validate: {
      login: (value) => (value.trim() === "" ? t("form.required") : null),
      password: (value) => (value === "" ? t("form.required") : null),
    },
  });
  const submit = form.onSubmit(async ({ login, password }) => {
    setBusy(true);
    setFault(undefined);
    try {
      onSignedIn(await signIn({ login: login.trim(), password }));
    } catch (thrown) {
      setFault(thrown);
      form.setFieldValue("password", "");
    } finally {
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t("sign_in.login")}
          autoComplete="username"
          autoFocus
          maxLength={255}
          {...form.getInputProps("login")}
        />
        <PasswordField
          label={t("sign_in.password")}
          autoComplete="current-password"
          {...form.getInputProps("password")}
        />
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Button type="submit" loading={isBusy} fullWidth>
          {t("sign_in.action")}
        </Button>
      </Stack>
    </form>
  );
};
