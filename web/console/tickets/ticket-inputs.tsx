/** Inputs shared by the create and edit forms. */
import { NumberInput, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "../../base/i18n.ts";
import { fieldRows, type CommonValues, type FieldName, type FieldRow } from "./ticket-fields.ts";

/** Only `form.getInputProps` is used, so any form with these values fits. */
type FieldsProps = Readonly<{ form: Pick<UseFormReturnType<CommonValues>, "getInputProps"> }>;

/** `2026-11-22T14:30` in the reader's time zone. */
export function toLocalInput(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The table's fields of one part of the form. */
export function PartFields({ form, part }: FieldsProps & Pick<FieldRow, "part">) {
  const inputsOf = (isLong: boolean) =>
    fieldRows
      .filter(([, row]) => row.part === part && "isLong" in row === isLong)
      .map(([name, row]) => <FieldInput key={name} form={form} name={name} row={row} />);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {inputsOf(false)}
      </SimpleGrid>
      {inputsOf(true)}
    </>
  );
}

type InputProps = FieldsProps & Readonly<{ name: FieldName; row: FieldRow }>;

function FieldInput({ form, name, row }: InputProps) {
  const words = useTranslation("tickets");
  const props = { label: words.t(`field.${name}`), ...form.getInputProps(name) };
  if ("choices" in row) {
    return <Select data={row.choices(words)} {...props} />;
  }
  const { maxLength, isLong, note } = row;
  return isLong ? (
    <Textarea maxLength={maxLength} autosize minRows={2} maxRows={8} {...props} />
  ) : (
    <TextInput maxLength={maxLength} description={note && words.t(note)} {...props} />
  );
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
