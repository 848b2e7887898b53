import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWindowEvent } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { PasswordField } from "../../components/password-field.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { meetsPasswordRule } from "../../../src/contracts/password-rule.ts";
import { Card } from "./card.tsx";
import { Forgot } from "./forgot.tsx";

/** Sets a new password with the token of a mail. Without a token: requests the mail. */
export function PasswordPage() {
  const { t } = useTranslation();
  const [token, setToken] = useState(() => tokenOf(location.hash));
  // If the link is opened in the tab that requested it, only the fragment changes.
  useWindowEvent("hashchange", () => setToken(tokenOf(location.hash)));
  const [isDone, setDone] = useState(false);
  const [isSent, setSent] = useState(false);
  if (token === "") {
    return <Forgot isSent={isSent} onSent={() => setSent(true)} />;
  }
  if (isDone) {
    return (
      <Card title={t("password.title")}>
        <Text size="sm">{t("password.done")}</Text>
        <Anchor component={Link} to="/login" size="sm">
          {t("password.to_sign_in")}
        </Anchor>
      </Card>
    );
  }
  return (
    <Card title={t("password.title")}>
      <NewPassword token={token} onDone={() => setDone(true)} />
    </Card>
  );
}

/** The token is in the URL fragment, which is not sent: it appears in no log and no referrer. */
function tokenOf(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get("token") ?? "";
}

function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { password: "", again: "" },
    validate: {
      password: (value) => (!meetsPasswordRule(value) ? t("password.rule") : null),
      again: (value, { password }) => (value === password ? null : t("password.differs")),
    },
  });
  const submit = form.onSubmit(async ({ password }) => {
    setBusy(true);
    setFault(undefined);
    try {
      await call(api.POST("/api/password", { body: { token, password } }));
      onDone();
    } catch (thrown) {
      setFault(thrown);
    } finally {
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <PasswordField
          label={t("password.new")}
          description={t("password.rule")}
          autoComplete="new-password"
          autoFocus
          {...form.getInputProps("password")}
        />
        <PasswordField
          label={t("password.again")}
          autoComplete="new-password"
          {...form.getInputProps("again")}
        />
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Button type="submit" loading={isBusy}>
          {t("password.set")}
        </Button>
      </Stack>
    </form>
  );
}
