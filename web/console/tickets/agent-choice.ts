/** Agents as options of a select. Pure. */
import type { components } from "../../base/api-types.ts";
import type { Choice } from "../../components/choice.ts";

type Agent = Pick<
  components["schemas"]["User"],
  "login" | "email" | "nickname" | "firstname" | "lastname"
>;

/** Searched as by the API, so that no agent is filtered out that the API found. */
export function choiceOf(agent: Agent): Choice {
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
