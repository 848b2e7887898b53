/** The parts of what most webhooks do without. */
export const moreParts = ["pace", "schedule", "sign", "oauth2", "certificate"] as const;
export type MorePart = (typeof moreParts)[number];

/** In which part a field of the form stands; undefined for those that are always seen. */
export function partOf(field: string): MorePart | undefined {
  if (["ordered", "maxInFlight", "maxPerSecond"].includes(field)) {
    return "pace";
  }
  if (["signatures", "headerPresets"].includes(field)) {
    return "sign";
  }
  return moreParts.find((part) => field === part || field.startsWith(`${part}.`));
}
