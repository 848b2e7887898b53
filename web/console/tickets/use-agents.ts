import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { choiceOf, nameOf } from "./agent-choice.ts";
import { agentsQuery } from "./queries.ts";

/** Active agents that match the text, always including the selected one. */
export function useAgents(typed: string, chosen: string) {
  const [search] = useDebouncedValue(typed, 250);
  const first = useQuery(agentsQuery(""));
  const isChosen = (first.data ?? []).some(
    (agent) => search === agent.login || search === agent.nickname,
  );
  const found = useQuery({ ...agentsQuery(search), enabled: search !== "" && !isChosen });
  const agents = new Map(
    [...(first.data ?? []), ...(found.data ?? [])].map((agent) => [agent.login, choiceOf(agent)]),
  );
  if (chosen !== "" && !agents.has(chosen)) {
    agents.set(chosen, { value: chosen, label: chosen });
  }
  return { agents: [...agents.values()], isLooking: first.isFetching || found.isFetching };
}

/** An agent's name, else the login. */
export function useAgentName(login: string | undefined): string | undefined {
  const { data } = useQuery({ ...agentsQuery(""), enabled: login !== undefined });
  const agent = data?.find((one) => one.login === login);
  return agent === undefined ? login : nameOf(agent);
}
