import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { agentsQuery } from "./queries.ts";

type AgentSelectProps = Readonly<{
  label: string;
  /** A login; "" where none is chosen. */
  value: string;
  onChange: (login: string) => void;
  placeholder?: string;
  isClearable?: boolean;
  isRequired?: boolean;
  error?: ReactNode;
}>;

/** Chooses an active agent by name, login or address. For who may read users. */
export const AgentSelect = (props: AgentSelectProps) => {
  const { label, value, onChange, placeholder, error } = props;
  const { t } = useTranslation("tickets");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, 250);
  const { data, isFetching } = useQuery(agentsQuery(""));
  const found = useQuery({ ...agentsQuery(search), enabled: search !== "" && !isChosen(search) });
  const agents = [...(data ?? []), ...(found.data ?? [])];
  const options = new Map(
    agents.map(({ login, nickname }) => [login, nickname === "" ? login : nickname]),
  );
  if (value !== "" && !options.has(value)) {
    options.set(value, value);
  }
  function isChosen(text: string): boolean {
    return (data ?? []).some(({ login, nickname }) => text === login || text === nickname);
  }
  return (
    <Select
      label={label}
      searchable
      clearable={props.isClearable === true}
      required={props.isRequired === true}
      data={[...options].map(([login, name]) => ({ value: login, label: name }))}
      value={value === "" ? null : value}
      onChange={(login) => onChange(login ?? "")}
      onSearchChange={setTyped}
      limit={50}
      nothingFoundMessage={t(isFetching ? "agent.looking" : "agent.none")}
      {...(placeholder === undefined ? {} : { placeholder })}
      error={error}
    />
  );
};
