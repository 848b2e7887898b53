import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { Card } from "./card.tsx";

type ForgotProps = Readonly<{ isSent: boolean; onSent: () => void }>;

/** Requests a password reset; the answer does not reveal whether the account exists. */
export function Forgot({ isSent, onSent }: ForgotProps) {
  const { t } = useTranslation("sign-in");
  return (
    <Card title={t("forgot.title")} {...(isSent ? {} : { note: t("forgot.note") })}>
      {isSent ? (
        <Text size="sm" role="status">
          {t("forgot.sent")}
        </Text>
      ) : (
        <AskForLink onSent={onSent} />
      )}
      <Anchor component={Link} to="/login" size="sm">
        {t("forgot.back")}
      </Anchor>
    </Card>
  );
}

function AskForLink({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation("sign-in");
  const form = useForm({
    initialValues: { login: "" },
    validate: { login: (value) => (value.trim() === "" ? t("base:form.required") : null) },
  });
  const requesting = useMutation({
    mutationFn: ({ login }: { login: string }) =>
      call(api.POST("/api/password/request", { body: { login: login.trim() } })),
    onSuccess: onSent,
  });
  return (
    <form onSubmit={form.onSubmit((values) => requesting.mutate(values))} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t("base:sign_in.login")}
          autoComplete="username"
          autoFocus
          maxLength={255}
          {...form.getInputProps("login")}
        />
        {requesting.isError ? <ErrorBox error={requesting.error} /> : null}
        <Button type="submit" loading={requesting.isPending}>
          {t("forgot.action")}
        </Button>
      </Stack>
    </form>
  );
}
