import { NumberInput, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useTranslation } from "../../base/i18n.ts";

type TimeFieldsProps = Readonly<{
  start: GetInputPropsReturnType;
  minutes: GetInputPropsReturnType;
}>;

/** Start and planned duration of a meeting. */
export function TimeFields({ start, minutes }: TimeFieldsProps) {
  const { t } = useTranslation("meetings");
  return (
    <>
      <TextInput
        type="datetime-local"
        label={t("field.start")}
        description={t("field.zone", { zone: zoneOfReader() })}
        {...start}
      />
      <NumberInput
        label={t("field.minutes")}
        description={t("field.minutes_note")}
        min={1}
        max={1_440}
        step={15}
        allowDecimal={false}
        clampBehavior="none"
        {...minutes}
      />
    </>
  );
}

function zoneOfReader(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
