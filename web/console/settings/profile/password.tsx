import { Button, Group, SimpleGrid, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { asProblem } from "../../../base/problem.ts";
import { signIn } from "../../../base/session.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PasswordField } from "../../../components/password-field.tsx";
import { meetsPasswordRule } from "../../../../src/contracts/password-rule.ts";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { sessionQuery, useSession } from "../../session.ts";

type Values = { current: string; password: string; again: string };

export function Password() {
  const { t } = useTranslation("settings");
  const form = useForm<Values>({
    initialValues: { current: "", password: "", again: "" },
    validate: {
      current: (value) => (value === "" ? t("base:form.required") : null),
      password: (value) => (!meetsPasswordRule(value) ? t("base:password.rule") : null),
      again: (value, { password }) => (value === password ? null : t("base:password.differs")),
    },
  });
  const changing = useChange(() => {
    form.reset();
    showDone(t("password.done"));
  });
  const wrong =
    changing.isError && isWrongPassword(changing.error) ? t("password.wrong") : undefined;
  const submit = form.onSubmit((values) => changing.mutate(values));
  return (
    <Section title={t("password.title")} note={t("password.note")}>
      <form onSubmit={submit} noValidate>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <PasswordField
            label={t("password.current")}
            autoComplete="current-password"
            {...form.getInputProps("current")}
            error={wrong ?? form.errors["current"]}
          />
          <PasswordField
            label={t("base:password.new")}
            autoComplete="new-password"
            {...form.getInputProps("password")}
          />
          <PasswordField
            label={t("base:password.again")}
            autoComplete="new-password"
            {...form.getInputProps("again")}
          />
        </SimpleGrid>
        <Text size="xs" c="dimmed" mt={6}>
          {t("base:password.rule")}
        </Text>
        {changing.isError && wrong === undefined ? <ErrorBox error={changing.error} /> : null}
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={changing.isPending}>
            {t("base:password.set")}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

/** A password change ends every session, so this browser signs in again. */
function useChange(onDone: () => void) {
  const { user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ current, password }: Values) => {
      const body = { password, current_password: current };
      await call(api.PATCH("/api/users/me", { body }));
      return signIn({ login: user.login, password });
    },
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      void queries.invalidateQueries({ queryKey: ["settings"] });
      onDone();
    },
  });
}

function isWrongPassword(thrown: unknown): boolean {
  return asProblem(thrown).errors.some(({ field }) => field === "current_password");
}
