import { Button, Group, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { changedFields } from "../../../base/changed-fields.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { sessionQuery, useSession } from "../../session.ts";
import { languageChoices } from "../languages.ts";

const languagesOfMessages = languageChoices();

/** Display name and language of mails. */
export function Names() {
  const { t } = useTranslation("settings");
  const { user, enterprise } = useSession();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { nickname: user.nickname, language: user.language ?? enterprise.language },
    validate: { nickname: (value) => (value.trim() === "" ? t("base:form.required") : null) },
  });
  const bodyOf = (values: typeof form.values) => ({ ...values, nickname: values.nickname.trim() });
  const saving = useMutation({
    mutationFn: (values: typeof form.values) => {
      // An untouched language stays the company's.
      const body = changedFields(bodyOf(form.getInitialValues()), bodyOf(values));
      return call(api.PATCH("/api/users/me", { body }));
    },
    onSuccess: async (_saved, sent) => {
      form.resetDirty(sent);
      await queries.invalidateQueries(sessionQuery);
      showDone(t("base:action.saved"));
    },
  });
  return (
    <Section title={t("profile.names")} note={t("profile.login", { login: user.login })}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t("profile.nickname")}
            maxLength={128}
            autoComplete="nickname"
            {...form.getInputProps("nickname")}
          />
          <Select
            label={t("profile.language")}
            data={languagesOfMessages}
            {...form.getInputProps("language")}
          />
        </SimpleGrid>
        {saving.isError ? <ErrorBox error={saving.error} /> : null}
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
            {t("base:action.save")}
          </Button>
        </Group>
      </form>
    </Section>
  );
}
