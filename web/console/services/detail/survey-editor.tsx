import { languages, type Language } from "../../../../src/contracts/languages.ts";
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Select,
  Skeleton,
  Stack,
  TextInput,
} from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";

import { api, call } from "../../../base/api.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useMay, useSession } from "../../session.ts";
import { languageChoices } from "../../settings/languages.ts";
import { surveyQuery, type Survey } from "../queries.ts";
import classes from "../services.module.css";
import {
  bodyOf,
  emptyQuestion,
  isBlank,
  mostQuestions,
  valuesOf,
  writtenIn,
  type SurveyValues,
} from "../survey.ts";

type QuestionsProps = Readonly<{
  form: UseFormReturnType<SurveyValues>;
  language: Language;
  mayChange: boolean;
}>;

/** The survey after a session. */
export function SurveyEditor({ serviceId }: { serviceId: number }) {
  const { t } = useTranslation("services");
  const { data, error, refetch } = useQuery(surveyQuery(serviceId));
  return (
    <Section title={t("survey.title")} note={t("survey.note")}>
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton height={210} /> : null}
      {data === undefined ? null : <Editor key={serviceId} serviceId={serviceId} survey={data} />}
    </Section>
  );
}

function Editor({ serviceId, survey }: { serviceId: number; survey: Survey }) {
  const { t } = useTranslation("services");
  const { enterprise } = useSession();
  const mayChange = useMay("services.write");
  const [language, setLanguage] = useState<Language>(enterprise.language);
  const form = useForm<SurveyValues>({
    initialValues: valuesOf(survey),
    validate: ({ questions }) =>
      Object.fromEntries(
        questions.flatMap((question, index) =>
          isBlank(question) ? [[`questions.${index}`, t("survey.blank")]] : [],
        ),
      ),
  });
  const saving = useSave(serviceId);
  const submit = form.onSubmit((values) =>
    saving.mutate(values, { onSuccess: () => form.resetDirty(values) }),
  );
  return (
    <form onSubmit={submit} noValidate aria-label={t("survey.title")}>
      <fieldset disabled={!mayChange} className={classes["plain"]}>
        <Stack gap="md">
          <Checkbox
            label={t("survey.enabled")}
            {...form.getInputProps("enabled", { type: "checkbox" })}
          />
          <LanguageChoice form={form} language={language} onChange={setLanguage} />
          <Questions form={form} language={language} mayChange={mayChange} />
          <Checkbox
            label={t("survey.feedback")}
            description={t("survey.feedback_note")}
            {...form.getInputProps("feedback", { type: "checkbox" })}
          />
          {saving.isError ? <ErrorBox error={saving.error} /> : null}
          {mayChange ? (
            <Group justify="flex-end">
              <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
                {t("survey.save")}
              </Button>
            </Group>
          ) : null}
        </Stack>
      </fieldset>
    </form>
  );
}

function useSave(serviceId: number) {
  const { t } = useTranslation("base");
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: SurveyValues) =>
      call(
        api.PUT("/api/services/{serviceId}/survey", {
          params: { path: { serviceId } },
          body: bodyOf(values),
        }),
      ),
    onSuccess: (saved) => {
      queries.setQueryData(surveyQuery(serviceId).queryKey, saved);
      showDone(t("action.saved"));
    },
  });
}

function LanguageChoice({
  form,
  language,
  onChange,
}: Pick<QuestionsProps, "form" | "language"> & { onChange: (next: Language) => void }) {
  const { t } = useTranslation("services");
  const { questions } = form.values;
  return (
    <Select
      label={t("survey.language")}
      description={t("survey.language_note")}
      maw={360}
      data={languageChoices().map(({ value, label }) => ({
        value,
        label: `${label} · ${t("survey.written", { written: writtenIn(questions, value), total: questions.length })}`,
      }))}
      value={language}
      onChange={(value) => onChange(languages.find((known) => known === value) ?? language)}
    />
  );
}

function Questions({ form, language, mayChange }: QuestionsProps) {
  const { t } = useTranslation("services");
  const { questions } = form.values;
  const nextKey = Math.max(0, ...questions.map(({ key }) => key)) + 1;
  return (
    <>
      {questions.map((question, index) => (
        <div key={question.key} className={classes["question"]}>
          <TextInput
            label={t("survey.question", { number: index + 1 })}
            maxLength={255}
            lang={language}
            {...form.getInputProps(`questions.${index}.${language}`)}
            error={form.errors[`questions.${index}`]}
          />
          {mayChange && questions.length > 1 ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={() => form.removeListItem("questions", index)}
              aria-label={t("survey.remove", { number: index + 1 })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          ) : null}
        </div>
      ))}
      {mayChange && questions.length < mostQuestions ? (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => form.insertListItem("questions", emptyQuestion(nextKey))}
          >
            {t("survey.add")}
          </Button>
        </div>
      ) : null}
    </>
  );
}
