import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, TagsInput, Text } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { fieldFaults } from "../../../components/field-faults.ts";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { takeSaved } from "../../../components/server-values.ts";
import { useMay } from "../../session.ts";
import { DurationSelect } from "./duration-select.tsx";
import { failingChoices, pastDueChoices, repeatChoices } from "./durations.ts";
import { PeopleField } from "./people-field.tsx";
import { alertsQuery, changeAlerts, type AlertSettings } from "./queries.ts";
import { bodyOfChange, valuesOf, type AlertValues } from "./values.ts";

type Form = UseFormReturnType<AlertValues>;

/** Alert mails about webhooks: thresholds and recipients. */
export function AlertsForm({ settings }: { settings: AlertSettings }) {
  const { t } = useTranslation("settings");
  const mayChange = useMay("webhooks.write");
  const form = useForm<AlertValues>({ initialValues: valuesOf(settings) });
  const saving = useSave(form);
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <fieldset disabled={!mayChange} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <When form={form} isFixed={!mayChange} />
        <Who form={form} settings={settings} isFixed={!mayChange} />
        {saving.isError ? <ErrorBox error={saving.error} /> : null}
        {mayChange ? (
          <Group justify="flex-end" mb="md">
            <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
              {t("base:action.save")}
            </Button>
          </Group>
        ) : null}
      </fieldset>
    </form>
  );
}

function useSave(form: Form) {
  const { t } = useTranslation("settings");
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: AlertValues) =>
      changeAlerts(bodyOfChange(form.getInitialValues(), values)),
    onSuccess: (settings, sent) => {
      queries.setQueryData(alertsQuery.queryKey, settings);
      takeSaved(form, { sent, saved: valuesOf(settings) });
      showDone(t("base:action.saved"));
    },
    onError: (thrown) => {
      const [first] = Object.keys(fieldFaults(thrown, () => ""));
      if (first?.startsWith("emails") === true) {
        form.setErrors({ emails: t("alerts.bad_email") });
      }
    },
  });
}

function When({ form, isFixed }: { form: Form; isFixed: boolean }) {
  const { t } = useTranslation("settings");
  const { values } = form;
  return (
    <Section title={t("alerts.when")} note={t("alerts.when_note")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <DurationSelect
          label={t("alerts.failing")}
          description={t("alerts.failing_note")}
          choices={failingChoices}
          value={values.failing}
          isFixed={isFixed}
          onChange={(minutes) => form.setFieldValue("failing", minutes ?? 0)}
        />
        <DurationSelect
          label={t("alerts.past_due")}
          description={t("alerts.past_due_note")}
          choices={pastDueChoices}
          value={values.pastDue}
          isFixed={isFixed}
          onChange={(minutes) => form.setFieldValue("pastDue", minutes ?? 0)}
        />
        <DurationSelect
          label={t("alerts.repeat")}
          description={t("alerts.repeat_note")}
          choices={repeatChoices}
          minutesEach={60}
          value={values.repeat}
          isFixed={isFixed}
          onChange={(hours) => form.setFieldValue("repeat", hours ?? 0)}
        />
        <Checkbox
          mt={{ base: 0, sm: 28 }}
          label={t("alerts.failed")}
          description={t("alerts.failed_note")}
          {...form.getInputProps("failed", { type: "checkbox" })}
        />
      </SimpleGrid>
    </Section>
  );
}

type WhoProps = Readonly<{ form: Form; settings: AlertSettings; isFixed: boolean }>;

function Who({ form, settings, isFixed }: WhoProps) {
  const { t } = useTranslation("settings");
  const mayFind = useMay("users.read");
  const { administrators, users, emails } = form.values;
  const isNobody = !administrators && users.length === 0 && emails.length === 0;
  return (
    <Section title={t("alerts.who")} note={t("alerts.who_note")}>
      <Stack gap="sm">
        <Checkbox
          label={t("alerts.administrators")}
          {...form.getInputProps("administrators", { type: "checkbox" })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <PeopleField
            value={users}
            onChange={(people) => form.setFieldValue("users", people)}
            isFixed={isFixed || !mayFind}
          />
          <TagsInput
            label={t("alerts.emails")}
            placeholder={emails.length === 0 ? "ops@example.com" : ""}
            maxTags={10}
            splitChars={[",", ";", " "]}
            acceptValueOnBlur
            disabled={isFixed}
            {...form.getInputProps("emails")}
          />
        </SimpleGrid>
        <Unconfirmed emails={settings.emails} />
        {isNobody ? (
          <Alert
            color="yellow"
            icon={<IconAlertTriangle size={18} aria-hidden />}
            title={t("alerts.nobody")}
          >
            {t("alerts.nobody_note")}
          </Alert>
        ) : null}
      </Stack>
    </Section>
  );
}

/** Saved recipients who have not confirmed yet. */
function Unconfirmed({ emails }: Pick<AlertSettings, "emails">) {
  const { t } = useTranslation("settings");
  const waiting = emails.filter(({ confirmed }) => confirmed === null);
  return waiting.length === 0 ? null : (
    <Text size="sm" c="dimmed" role="note">
      {t("alerts.unconfirmed", { emails: waiting.map(({ email }) => email).join(", ") })}
    </Text>
  );
}
