/** The fields of a ticket that create and change have in common. */
import { NumberInput, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "../../base/i18n.ts";

export const ticketLanguages = ["en", "fr", "de", "es", "it", "nl", "pt"] as const;

export type TicketLanguage = (typeof ticketLanguages)[number];

export type CommonValues = {
  name: string;
  firstname: string;
  lastname: string;
  company: string;
  reference: string;
  subject: string;
  description: string;
  priority: string;
  language: string;
  /** As `datetime-local` has it, in the reader's zone; "" for now. */
  startTime: string;
  duration: number | string;
};

export const noValues: CommonValues = {
  ...{ name: "", firstname: "", lastname: "", company: "", reference: "", subject: "" },
  ...{ description: "", priority: "2", language: "", startTime: "", duration: 30 },
};

/** Only `form.getInputProps` is used, so any form with these values fits. */
type FieldsProps = Readonly<{ form: Pick<UseFormReturnType<CommonValues>, "getInputProps"> }>;

/** `2026-11-22T14:30` of this zone for a moment. */
export function toLocalInput(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function PersonFields({ form }: FieldsProps) {
  const { t } = useTranslation("tickets");
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        label={t("field.firstname")}
        maxLength={128}
        {...form.getInputProps("firstname")}
      />
      <TextInput label={t("field.lastname")} maxLength={128} {...form.getInputProps("lastname")} />
      <TextInput label={t("field.company")} maxLength={128} {...form.getInputProps("company")} />
      <TextInput
        label={t("field.name")}
        description={t("field.name_note")}
        maxLength={128}
        {...form.getInputProps("name")}
      />
    </SimpleGrid>
  );
}

export function SubjectFields({ form }: FieldsProps) {
  const { t, language } = useTranslation("tickets");
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t("field.reference")}
          maxLength={255}
          {...form.getInputProps("reference")}
        />
        <TextInput label={t("field.subject")} maxLength={255} {...form.getInputProps("subject")} />
        <Select
          label={t("field.priority")}
          data={(["1", "2", "3", "4"] as const).map((value) => ({
            value,
            label: t(`priority.${value}`),
          }))}
          {...form.getInputProps("priority")}
        />
        <Select
          label={t("field.language")}
          data={[
            { value: "", label: t("field.language_of_service") },
            ...ticketLanguages.map((value) => ({
              value,
              label: nameOfLanguage(value, language),
            })),
          ]}
          {...form.getInputProps("language")}
        />
      </SimpleGrid>
      <Textarea
        label={t("field.description")}
        maxLength={5_000}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps("description")}
      />
    </>
  );
}

function nameOfLanguage(language: string, inLanguage: string): string {
  const name = new Intl.DisplayNames(inLanguage, { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1);
}

export function TimeFields({ form }: FieldsProps) {
  const { t } = useTranslation("tickets");
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        type="datetime-local"
        label={t("field.start")}
        description={t("field.start_note", {
          zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        })}
        {...form.getInputProps("startTime")}
      />
      <NumberInput
        label={t("field.duration")}
        description={t("field.duration_note")}
        min={1}
        max={1_440}
        allowDecimal={false}
        {...form.getInputProps("duration")}
      />
    </SimpleGrid>
  );
}
