import { type ReplayState, replayStates, replayStatuses } from "../../contracts/deliveries.ts";
import { problem } from "../../contracts/problems.ts";
import { type ReplayCriteria, type ReplayMatching, type CriteriaInput } from "./criteria.ts";
import { objectKinds } from "../../contracts/events.ts";
import { sessionEventTypes } from "../../contracts/session-events.ts";
import {
  idParams,
  pageQuery,
  periodQuery,
  requiredBound,
  wordList,
  type PageQuery,
  type WebhookParams,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { webhookIdsField } from "../log/query.ts";

/** A replay, as stored in its row. */
export type Replay = {
  id: number;
  enterpriseId: number;
  subscriptionId: number;
  state: ReplayState;
  criteria: ReplayCriteria;
  matching: ReplayMatching;
  /** Maximum number of deliveries created per second. */
  rate: number;
  /** While the replay is counting: the count so far. */
  total: number;
  made: number;
  position: WalkPosition;
  /** Later deliveries and events do not belong to the replay. */
  lastSequence: number;
  lastEventRowId: number;
  error: string | null;
  createdBy: number | null;
  created: Date;
  started: Date | null;
  ended: Date | null;
};

/**
 * Where the walk continues: after a sequence of the subscription or after an event id. A recovery
 * expedites retries before its walk starts.
 */
export type WalkPosition = { phase: "retries" | "deliveries" | "events" | "end"; position: number };

export type ReplayAction = "pause" | "resume" | "cancel";

/** Open replays per subscription. */
export const maxOpenReplays = 3;

export const defaultRate = 50;

const highestRate = 1_000;

export const replayParams = idParams("replayId");

export type ReplayParams = { replayId: number };

export const repeatParams = idParams("webhookId", "deliveryId");

export type RepeatParams = WebhookParams & { deliveryId: number };

const criteria = {
  ...periodQuery,
  status: {
    type: ["string", "array"],
    maxLength: 255,
    minItems: 1, // an empty list is a mistake, not the default
    maxItems: replayStatuses.length,
    uniqueItems: true,
    items: { type: "string", enum: replayStatuses },
    wordsOf: replayStatuses,
  },
  object: { type: "string", enum: objectKinds },
  eventType: { type: "string", enum: sessionEventTypes },
  result: {
    type: "string",
    pattern: "^[a-z0-9_]{1,40}$",
    rule: "a result of an attempt, such as 5xx or dns",
  },
};

/** Both operations take the same body, so that a preview can be sent as the request. */
export const replaySchema = replaySchemaOf({
  ...criteria,
  rate: { type: "integer", minimum: 1, maximum: highestRate },
});

/** Deliveries per selection. Those of one webhook are replayed in one transaction. */
const mostSelected = 100;

export const selectionSchema = {
  ...replaySchemaOf({
    deliveries: {
      type: "array",
      minItems: 1,
      maxItems: mostSelected,
      uniqueItems: true,
      items: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    },
  }),
  required: ["deliveries"],
};

export type SelectionBody = { deliveries: number[] };

export type ReplayBody = CriteriaInput & { rate?: number };

/** Both operations take the same body. */
export const recoverySchema: JsonSchema = {
  ...replaySchemaOf({
    since: requiredBound,
    rate: { type: "integer", minimum: 1, maximum: highestRate },
  }),
  required: ["since"],
};

export type RecoveryBody = { since: string; rate?: number };

/** Both filters take several values, separated by commas. */
export const listReplaysSchema: JsonSchema = {
  type: "object",
  properties: {
    webhook: webhookIdsField,
    state: wordList(replayStates),
    ...pageQuery,
  },
};

export type ListReplaysQuery = PageQuery & { webhook?: string; state?: string };

const transitions: Record<ReplayAction, { from: readonly ReplayState[]; to: ReplayState }> = {
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  cancel: { from: ["counting", "running", "paused"], to: "cancelled" },
};

/**
 * The state after a user's action. The platform makes the other transitions: counting → running,
 * running → done, any open state → failed. Throws a conflict if the state does not allow the
 * action.
 */
export function transitionReplay(state: ReplayState, action: ReplayAction): ReplayState {
  const { from, to } = transitions[action];
  if (!from.includes(state)) {
    throw problem("conflict", `A replay that is ${state} cannot become ${to}.`, {
      details: `Transition ${state} → ${to}`,
    });
  }
  return to;
}

/**
 * Unattempted deliveries of one replay: few, so that pause and cancel take effect quickly and new
 * events are not delayed, but at least one second's worth.
 */
export function maxUnattempted(rate: number): number {
  return Math.max(500, rate);
}

/**
 * How many deliveries may be created now. `pacedTo` is the time up to which the rate is used up;
 * undefined before the first delivery. Pure.
 */
export function allowanceOf(rate: number, pacedTo: Date | undefined, now: Date): number {
  const from = paceFrom(pacedTo, now);
  return Math.max(0, Math.floor(((now.getTime() - from) * rate) / 1_000));
}

/** `pacedTo` after creating `made` deliveries. */
export function paceAfter(
  rate: number,
  pacedTo: Date | undefined,
  { now, made }: { now: Date; made: number },
): Date {
  const from = paceFrom(pacedTo, now);
  return new Date(from + (made * 1_000) / rate);
}

/** Unused allowance expires after this time: a delayed replay does not catch up in a burst. */
const allowanceMs = 1_000;

/** `pacedTo` can be further in the future only if the clock was set back. */
const mostAheadMs = 5_000;

/** The time from which the allowance counts. */
function paceFrom(pacedTo: Date | undefined, now: Date): number {
  const earliest = now.getTime() - allowanceMs;
  const paced = pacedTo?.getTime() ?? earliest;
  return paced > now.getTime() + mostAheadMs ? earliest : Math.max(paced, earliest);
}

function replaySchemaOf(properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    properties,
  };
}
