import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "../base/i18n.ts";
import { signIn, type Session } from "../base/session.ts";
import { PasswordField } from "./password-field.tsx";
import { ErrorBox } from "./error-box.tsx";

type SignInFormProps = Readonly<{
  /** Prefills the login. */
  login?: string;
  onSignedIn: (session: Session) => void;
}>;

/** The sign-in form with login and password, used by every page that needs a session. */
export function SignInForm({ login = "", onSignedIn }: SignInFormProps) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { login, password: "" },
    validate: {
      login: (value) => (value.trim() === "" ? t("form.required") : null),
      password: (value) => (value === "" ? t("form.required") : null),
    },
  });
  const submit = form.onSubmit(async (input) => {
    setBusy(true);
    setFault(undefined);
    try {
      onSignedIn(await signIn({ login: input.login.trim(), password: input.password }));
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
          {...(login === "" ? { "data-autofocus": true, autoFocus: true } : {})}
          maxLength={255}
          {...form.getInputProps("login")}
        />
        <PasswordField
          label={t("sign_in.password")}
          autoComplete="current-password"
          {...(login === "" ? {} : { "data-autofocus": true, autoFocus: true })}
          {...form.getInputProps("password")}
        />
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Button type="submit" loading={isBusy} fullWidth>
          {t("sign_in.action")}
        </Button>
      </Stack>
    </form>
  );
}
