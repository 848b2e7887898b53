/** Maps an audit entry to the text key of its action. Pure. */
import type { components } from "../../../base/api-types.ts";

export type AuditEntry = components["schemas"]["AuditEntry"];

const moves = ["running", "paused", "cancelled"] as const;

type Done = `actions.${AuditEntry["action"]}` | `replays.${"made" | (typeof moves)[number]}`;

/** A replay is logged as a change of its webhook; its state identifies it. */
export function subjectOf({ action, changes }: Pick<AuditEntry, "action" | "changes">): Done {
  const { replay } = changes;
  if (replay === undefined) {
    return `actions.${action}`;
  }
  const state = stateOf(replay.to);
  return `replays.${moves.find((move) => move === state) ?? "made"}`;
}

function stateOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "state" in value ? value.state : undefined;
}
