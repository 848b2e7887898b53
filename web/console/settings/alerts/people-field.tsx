import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../base/api.ts";
import { useTranslation } from "../../../base/i18n.ts";
import type { AlertSettings } from "./queries.ts";

export type Person = AlertSettings["users"][number];

type PeopleFieldProps = Readonly<{
  value: readonly Person[];
  onChange: (people: Person[]) => void;
  isFixed: boolean;
}>;

const mostFound = 20;

/** Recipients besides the administrators, with search by name. */
export function PeopleField({ value, onChange, isFixed }: PeopleFieldProps) {
  const { t } = useTranslation("settings");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const { data } = useQuery({
    queryKey: ["settings", "alerts", "users", search],
    queryFn: () => {
      const query = { limit: mostFound, isActive: true, ...(search === "" ? {} : { search }) };
      return call(api.GET("/api/users", { params: { query } }));
    },
    enabled: !isFixed,
    placeholderData: (before) => before,
  });
  const known = new Map<string, Person>(value.map((person) => [String(person.id), person]));
  for (const { id, login } of data?.data ?? []) {
    known.set(String(id), { id, login });
  }
  return (
    <MultiSelect
      label={t("alerts.users")}
      placeholder={value.length === 0 ? t("alerts.users_hint") : ""}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // Unfiltered, because the API has already searched, names included.
      filter={({ options }) => options}
      data={[...known].map(([id, { login }]) => ({ value: id, label: login }))}
      value={value.map(({ id }) => String(id))}
      onChange={(ids) => onChange(ids.flatMap((id) => known.get(id) ?? []))}
      disabled={isFixed}
      maxValues={50}
      hidePickedOptions
    />
  );
}
