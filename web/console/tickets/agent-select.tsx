import { Select } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { matchingChoices } from "../../components/choice.ts";
import { useAgents } from "./use-agents.ts";

type AgentSelectProps = Readonly<{
  label: string;
  /** A login; "" for none. */
  value: string;
  onChange: (login: string) => void;
  error?: ReactNode;
}>;

/** Selects a ticket's agent by name or login. Requires permission to read users. */
export function AgentSelect({ label, value, onChange, error }: AgentSelectProps) {
  const { t } = useTranslation("tickets");
  const [typed, setTyped] = useState("");
  const { agents, isLooking } = useAgents(typed, value);
  return (
    <Select
      label={label}
      searchable
      required
      data={agents}
      value={value === "" ? null : value}
      onChange={(login) => onChange(login ?? "")}
      onSearchChange={setTyped}
      filter={({ search, limit }) => matchingChoices(agents, search).slice(0, limit)}
      limit={50}
      nothingFoundMessage={t(isLooking ? "agent.looking" : "agent.none")}
      error={error}
    />
  );
}
