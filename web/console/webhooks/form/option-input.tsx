import { NumberInput, Select, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import type { OptionRow } from "./option-fields.ts";
import type { WebhookForm } from "./use-webhook-form.ts";

type OptionInputProps = Readonly<{
  form: WebhookForm;
  /** The path of the field in the form. */
  name: string;
  row: OptionRow;
}>;

/** The input of one value, by the kind of its row. */
export function OptionInput({ form, name, row }: OptionInputProps) {
  const { t } = useTranslation("webhooks");
  const texts = {
    label: t(row.label),
    ...(row.help === undefined ? {} : { description: t(row.help) }),
  };
  if (row.kind === "switch") {
    return <Switch {...texts} {...form.getInputProps(name, { type: "checkbox" })} />;
  }
  const common = {
    ...texts,
    ...(row.unset === undefined ? {} : { placeholder: t(row.unset) }),
    ...form.getInputProps(name),
  };
  switch (row.kind) {
    case "number":
      return <NumberInput min={1} max={row.max} allowDecimal={false} {...common} />;
    case "choice":
      return (
        <Select
          data={[
            ...(row.unset === undefined ? [] : [{ value: "", label: t(row.unset) }]),
            ...Object.entries(row.choices).map(([value, label]) => ({ value, label: t(label) })),
          ]}
          {...common}
        />
      );
    default:
      return <TextInput maxLength={row.maxLength} {...common} />;
  }
}
