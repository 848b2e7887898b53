export const lastAgentKey = "sightline.last-agent";

type Writable = { setItem(key: string, value: string): void };

/** Preselects this agent in the next ticket's form. Browsers may refuse storage. */
export function keepLastAgent(login: string, storage: () => Writable): void {
  try {
    storage().setItem(lastAgentKey, JSON.stringify(login));
  } catch {
    // The next form has no preselection.
  }
}
