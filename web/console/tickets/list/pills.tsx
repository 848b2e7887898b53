/** The filters of the list, each with where its value is chosen. */
import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDate } from "../../../base/format.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { BoundField } from "../../../components/bound-field.tsx";
import { ManyFilter, One, type Choice } from "../../../components/choices.tsx";
import { FilterPill } from "../../../components/filter-pill.tsx";
import { useMay, useSession } from "../../session.ts";
import { servicesQuery } from "../queries.ts";
import { ticketStates } from "../types.ts";
import { useAgentName, useAgents } from "../use-agents.ts";
import { startOfDay, type ListSearch } from "./list-search.ts";

export type FilterProps = Readonly<{
  search: ListSearch;
  /** Sets these filters and leaves the others; an empty text takes one away. */
  set: (change: Partial<ListSearch>) => void;
}>;

export const StateFilter = ({ search, set }: FilterProps) => {
  const { t } = useTranslation("tickets");
  return (
    <ManyFilter
      name={t("filter.state")}
      choices={ticketStates.map((value) => ({ value, label: t(`state.${value}`) }))}
      chosen={search.state?.split(",") ?? []}
      onChange={(states) => set({ state: states.join(",") })}
    />
  );
};

type AgentsProps = Readonly<{ chosen: string | undefined; onChoose: (login: string) => void }>;

const Agents = ({ chosen = "", onChoose }: AgentsProps) => {
  const { t } = useTranslation("tickets");
  const [typed, setTyped] = useState("");
  const { agents, isLooking } = useAgents(typed, chosen);
  return (
    <One
      name={t("filter.agent")}
      choices={agents}
      chosen={chosen}
      onChoose={onChoose}
      onType={setTyped}
      nothing={t(isLooking ? "agent.looking" : "agent.none")}
    />
  );
};

const AnyAgentFilter = ({ search, set }: FilterProps) => {
  const { t } = useTranslation("tickets");
  const name = useAgentName(search.agent);
  return (
    <FilterPill name={t("filter.agent")} value={name} onClear={() => set({ agent: "" })}>
      {(close) => (
        <Agents
          chosen={search.agent}
          onChoose={(agent) => {
            set({ agent });
            close();
          }}
        />
      )}
    </FilterPill>
  );
};

type OneFilterProps = Readonly<{
  name: string;
  choices: readonly Choice[];
  chosen: string | undefined;
  onChange: (value: string) => void;
}>;

const OneFilter = ({ name, choices, chosen, onChange }: OneFilterProps) => (
  <FilterPill
    name={name}
    value={choices.find(({ value }) => value === chosen)?.label ?? chosen}
    onClear={() => onChange("")}
  >
    {(close) => (
      <One
        name={name}
        choices={choices}
        chosen={chosen}
        onChoose={(value) => {
          onChange(value);
          close();
        }}
      />
    )}
  </FilterPill>
);

/** For who knows no other agents. */
const OwnFilter = ({ search, set }: FilterProps) => {
  const { t } = useTranslation("tickets");
  const { user } = useSession();
  return (
    <OneFilter
      name={t("filter.agent")}
      choices={[{ value: user.login, label: t("filter.mine") }]}
      chosen={search.agent}
      onChange={(agent) => set({ agent })}
    />
  );
};

export const AgentFilter = (props: FilterProps) =>
  useMay("users.read") ? <AnyAgentFilter {...props} /> : <OwnFilter {...props} />;

export const ServiceFilter = ({ search, set }: FilterProps) => {
  const { t } = useTranslation("tickets");
  const { data } = useQuery(servicesQuery);
  return (
    <OneFilter
      name={t("filter.service")}
      choices={(data ?? []).map(({ service_key: value, name }) => ({ value, label: name }))}
      chosen={search.service}
      onChange={(service) => set({ service })}
    />
  );
};

const dayText = (day: string): string =>
  formatDate(startOfDay(day), { year: "numeric", month: "short", day: "numeric" });

const usePeriodText = ({ since, until }: ListSearch): string | undefined => {
  const { t } = useTranslation("tickets");
  if (since === undefined) {
    return until === undefined ? undefined : t("period.to", { until: dayText(until) });
  }
  return until === undefined
    ? t("period.from", { since: dayText(since) })
    : t("period.between", { since: dayText(since), until: dayText(until) });
};

const Day = ({ by, search, set }: FilterProps & { by: "since" | "until" }) => {
  const { t } = useTranslation("tickets");
  return (
    <BoundField
      type="date"
      label={t(`period.${by}`)}
      value={search[by] ?? ""}
      onApply={(day) => set({ [by]: day })}
    />
  );
};

export const PeriodFilter = (props: FilterProps) => {
  const { t } = useTranslation("tickets");
  const value = usePeriodText(props.search);
  return (
    <FilterPill
      name={t("filter.period")}
      value={value}
      onClear={() => props.set({ since: "", until: "" })}
    >
      {() => (
        <Stack gap="xs">
          <Day by="since" {...props} />
          <Day by="until" {...props} />
        </Stack>
      )}
    </FilterPill>
  );
};
