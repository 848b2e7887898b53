import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { choicesQuery, enterpriseQuery } from "./queries.ts";

type ManagerSelectProps = Readonly<{
  value: string;
  onChange: (value: string) => void;
  error?: React.ReactNode;
  /** Id to exclude: an enterprise cannot manage itself. */
  except: number | undefined;
}>;

/** Selects the managing enterprise by name. */
export function ManagerSelect({ value, onChange, error, except }: ManagerSelectProps) {
  const { t } = useTranslation("platform");
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), 250);
  const present = useQuery({ ...enterpriseQuery(Number(value)), enabled: value !== "" });
  const name = present.data?.name;
  const { data } = useQuery(choicesQuery(text === name ? "" : text));
  const found = (data?.data ?? []).filter(({ id }) => id !== except);
  const choices = found.map((one) => ({ value: String(one.id), label: one.name }));
  const isAmong = value === "" || choices.some((choice) => choice.value === value);
  const own = isAmong ? [] : [{ value, label: name ?? value }];
  return (
    <Select
      label={t("field.managed_by")}
      description={t("field.managed_by_note")}
      placeholder={t("field.nobody")}
      data={[...own, ...choices]}
      value={value === "" ? null : value}
      onChange={(next) => onChange(next ?? "")}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t("list.none_found")}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("field.managed_by_clear") }}
      error={error}
    />
  );
}
