/**
 * The states of a delivery and its transitions as SQL, generated from contracts/deliveries.ts. The
 * conditions repeat the predicates of partial indexes word for word; otherwise the planner would
 * not use the index. They refer to the row `d` of `deliveries`.
 */
import {
  deliveryTransitions,
  endedStates,
  failedStates,
  inFlightStates,
  liveStates,
  type DeliveryAction,
  type DeliveryState,
} from "../../contracts/deliveries.ts";
import { unindexedTextSql } from "../../platform/db/where.ts";

export const liveStatesSql = statesSql(liveStates);

export const inFlightStatesSql = statesSql(inFlightStates);

export const endedStatesSql = statesSql(endedStates);

export const failedStatesSql = statesSql(failedStates);

/** Unblocked first attempts of deliveries created by the relay. */
export const firstAttemptsSql =
  "d.state = 'pending' AND d.waits_for IS NULL AND d.replay_id IS NULL";

/** Unblocked retries, and first attempts of replays. */
export const laterAttemptsSql = `d.waits_for IS NULL
  AND (d.state = 'retry' OR (d.state = 'pending' AND d.replay_id IS NOT NULL))`;

/** Waits for an earlier delivery of the same object. */
export const blockedSql = `d.state IN ${statesSql(["pending", "retry"])} AND d.waits_for IS NOT NULL`;

/** SET clause of `requeue` for the row `d`: a job still around will be refused. */
export const requeueSetSql = `${moveSql("requeue")}, generation = d.generation + 1, lease_until = NULL`;

export function statesSql(states: readonly DeliveryState[]): string {
  return `(${states.map((state) => `'${state}'`).join(", ")})`;
}

/** SET clause of a transition for the row `d`. */
export function moveSql(action: DeliveryAction): string {
  const { to } = deliveryTransitions[action];
  return to === "waiting"
    ? "state = CASE WHEN d.attempts = 0 THEN 'pending' ELSE 'retry' END"
    : `state = '${to}'`;
}

/** The state of delivery `d` that fits no partial index, for statements with `d.id = ANY(…)`. */
export const unindexedStateSql = unindexedTextSql("d.state");

/** Whether the state in this column allows the transition. */
export function allowsSql(
  action: Exclude<DeliveryAction, `create${string}`>,
  column = "d.state",
): string {
  const states: readonly DeliveryState[] = deliveryTransitions[action].from;
  return states.length === 1 ? `${column} = '${states[0]}'` : `${column} IN ${statesSql(states)}`;
}
