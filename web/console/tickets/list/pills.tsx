/** The filters of the list with their dropdowns. */
import { ticketStates } from "../../../../src/contracts/events.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { ManyFilter, One, OneFilter } from "../../../components/choices.tsx";
import { DayFilter } from "../../../components/day-filter.tsx";
import { FilterPill } from "../../../components/filter-pill.tsx";
import { useMay, useSession } from "../../session.ts";
import { servicesQuery } from "../queries.ts";
import { useAgentName, useAgents } from "../use-agents.ts";
import type { ListSearch } from "./list-search.ts";

export type FilterProps = Readonly<{
  search: ListSearch;
  /** Sets these filters and keeps the others; an empty string clears one. */
  set: (change: Partial<ListSearch>) => void;
}>;

export function StateFilter({ search, set }: FilterProps) {
  const { t } = useTranslation("tickets");
  return (
    <ManyFilter
      name={t("filter.state")}
      choices={ticketStates.map((value) => ({ value, label: t(`state.${value}`) }))}
      chosen={search.state?.split(",") ?? []}
      onChange={(states) => set({ state: states.join(",") })}
    />
  );
}

export function AgentFilter(props: FilterProps) {
  return useMay("users.read") ? <AnyAgentFilter {...props} /> : <OwnFilter {...props} />;
}

function AnyAgentFilter({ search, set }: FilterProps) {
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
}

type AgentsProps = Readonly<{ chosen: string | undefined; onChoose: (login: string) => void }>;

function Agents({ chosen = "", onChoose }: AgentsProps) {
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
}

/** For users who may not list other agents. */
function OwnFilter({ search, set }: FilterProps) {
  const { t } = useTranslation("tickets");
  const { user } = useSession();
  return (
    <OneFilter
      name={t("filter.agent")}
      choices={[{ value: user.login, label: t("filter.mine") }]}
      chosen={search.agent}
      onChange={(agent = "") => set({ agent })}
    />
  );
}

export function ServiceFilter({ search, set }: FilterProps) {
  const { t } = useTranslation("tickets");
  const { data } = useQuery(servicesQuery);
  return (
    <OneFilter
      name={t("filter.service")}
      choices={(data ?? []).map(({ service_key: value, name }) => ({ value, label: name }))}
      chosen={search.service}
      onChange={(service = "") => set({ service })}
    />
  );
}

export function PeriodFilter({ search, set }: FilterProps) {
  const { t } = useTranslation("tickets");
  return (
    <DayFilter name={t("filter.period")} since={search.since} until={search.until} onChange={set} />
  );
}
