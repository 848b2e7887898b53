import { Button, Group, NumberInput, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { fieldFaults } from "../../../components/field-faults.ts";
import { Section } from "../../../components/section.tsx";
import { takeSaved } from "../../../components/server-values.ts";
import { showDone } from "../../../components/show-fault.tsx";
import { sessionQuery, useMay } from "../../session.ts";
import { languageChoices } from "../languages.ts";
import { bodyOfChange, valuesOf, type Company, type CompanyValues } from "./values.ts";

type FieldsProps = Readonly<{ form: UseFormReturnType<CompanyValues> }>;

/** Settings of the whole enterprise. */
export function CompanyForm({ company }: { company: Company }) {
  const { t } = useTranslation("settings");
  const mayChange = useMay("enterprises.write");
  const form = useForm<CompanyValues>({
    initialValues: valuesOf(company),
    validate: { name: (value) => (value.trim() === "" ? t("base:form.required") : null) },
  });
  const saving = useSave(company, form);
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <fieldset disabled={!mayChange} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <General form={form} />
        <Phone form={form} />
        <Retention form={form} />
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

function useSave(company: Company, form: UseFormReturnType<CompanyValues>) {
  const { t } = useTranslation("settings");
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: CompanyValues) => {
      const params = { path: { enterpriseId: company.id } };
      const body = bodyOfChange(form.getInitialValues(), values);
      return call(api.PATCH("/api/enterprises/{enterpriseId}", { params, body }));
    },
    onSuccess: async (saved, sent) => {
      takeSaved(form, { sent, saved: valuesOf(saved) });
      await queries.invalidateQueries({ queryKey: ["settings", "company"] });
      await queries.invalidateQueries(sessionQuery);
      showDone(t("base:action.saved"));
    },
    onError: (thrown) => {
      const faults = fieldFaults(thrown, () => t("company.refused"));
      form.setErrors(
        Object.fromEntries(
          Object.entries(faults).map(([field, say]) => [field.replace("retention.", ""), say]),
        ),
      );
    },
  });
}

const languages = languageChoices();

const zones = Intl.supportedValuesOf("timeZone");

function General({ form }: FieldsProps) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("company.general")}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput label={t("company.name")} maxLength={128} {...form.getInputProps("name")} />
        <Select
          label={t("company.time_zone")}
          data={zones}
          searchable
          limit={50}
          {...form.getInputProps("time_zone")}
        />
        <Select
          label={t("company.language")}
          data={languages}
          {...form.getInputProps("language")}
        />
      </SimpleGrid>
    </Section>
  );
}

function Phone({ form }: FieldsProps) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("company.phone")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t("company.sms_sender")}
          description={t("company.sms_sender_note")}
          maxLength={11}
          {...form.getInputProps("sms_sender")}
        />
        <TextInput
          label={t("company.sip")}
          description={t("company.sip_note")}
          maxLength={32}
          {...form.getInputProps("sip_phone_number")}
        />
      </SimpleGrid>
    </Section>
  );
}

function Retention({ form }: FieldsProps) {
  const { t } = useTranslation("settings");
  const days = {
    min: 1,
    max: 400,
    allowDecimal: false,
    suffix: t("company.days"),
    clampBehavior: "none",
    placeholder: t("company.platform_default"),
  } as const;
  return (
    <Section title={t("company.retention")} note={t("company.retention_note")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={t("company.payload_days")}
          description={t("company.payload_days_note")}
          {...days}
          {...form.getInputProps("payload_days")}
        />
        <NumberInput
          label={t("company.log_days")}
          description={t("company.log_days_note")}
          {...days}
          {...form.getInputProps("log_days")}
        />
      </SimpleGrid>
    </Section>
  );
}
