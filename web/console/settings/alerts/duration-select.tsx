import { Select } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { choicesWith, durationText } from "./durations.ts";

type DurationSelectProps = Readonly<{
  label: string;
  description?: string;
  isSmall?: boolean;
  choices: readonly number[];
  /** Minutes per unit of the options. */
  minutesEach?: number;
  value: number | null;
  /** Label of null; without it, null is not an option. */
  whenNull?: string;
  isFixed: boolean;
  onChange: (value: number | null) => void;
}>;

const nothing = "company";

/** The duration before an alert; 0 means never. */
export function DurationSelect(props: DurationSelectProps) {
  const { t, language } = useTranslation("settings");
  const { label, description, choices, minutesEach = 1, value, whenNull, isFixed } = props;
  const named = choicesWith(choices, value).map((choice) => ({
    value: String(choice),
    label: choice === 0 ? t("alerts.never") : durationText(choice * minutesEach, language),
  }));
  const data = whenNull === undefined ? named : [{ value: nothing, label: whenNull }, ...named];
  return (
    <Select
      label={label}
      size={props.isSmall === true ? "xs" : "sm"}
      {...(description === undefined ? {} : { description })}
      data={data}
      value={value === null ? nothing : String(value)}
      onChange={(chosen) => props.onChange(chosen === nothing ? null : Number(chosen ?? 0))}
      allowDeselect={false}
      disabled={isFixed}
    />
  );
}
