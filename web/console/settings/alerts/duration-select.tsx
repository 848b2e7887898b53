import { Select } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { choicesWith, durationText } from "./durations.ts";

type DurationSelectProps = Readonly<{
  label: string;
  description?: string;
  isSmall?: boolean;
  choices: readonly number[];
  /** Of one choice. */
  minutesEach?: number;
  value: number | null;
  /** What null means; without it, null cannot be chosen. */
  whenNull?: string;
  isFixed: boolean;
  onChange: (value: number | null) => void;
}>;

const nothing = "company";

/** How long something lasts before somebody is told; 0 is never. */
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
