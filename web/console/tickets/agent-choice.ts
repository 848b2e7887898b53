/** Agents as options of a select. Pure. */
import type { components } from "../../base/api-types.ts";

type Agent = Pick<
  components["schemas"]["User"],
  "login" | "email" | "nickname" | "firstname" | "lastname"
>;

type AgentChoice = Readonly<{ value: string; label: string; searched?: string }>;

/** Searched as by the API, so that no agent is filtered out that the API found. */
export function choiceOf(agent: Agent): AgentChoice {
  const { login, email, nickname, firstname, lastname } = agent;
  return {
    value: login,
    label: nameOf(agent),
    searched: [login, email, nickname, firstname, lastname].join(" "),
  };
}

/** The agent's nickname, else the login. */
export function nameOf({ login, nickname }: Pick<Agent, "login" | "nickname">): string {
  return nickname === "" ? login : nickname;
}

/** The options that match the text, not only by their label as in Mantine's filter. */
export function matchingChoices(options: readonly AgentChoice[], text: string): AgentChoice[] {
  const word = text.trim().toLowerCase();
  return options.filter(({ label, searched = label }) => searched.toLowerCase().includes(word));
}
