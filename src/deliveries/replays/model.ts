import { problem } from "../../contracts/problems.ts";
import {
  type ReplayCriteria,
  type ReplayMatching,
  replayStatuses,
  type CriteriaInput,
} from "./criteria.ts";
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

export const replayStates = [
  "counting",
  "running",
  "paused",
  "done",
  "cancelled",
  "failed",
] as const;

export type ReplayState = (typeof replayStates)[number];

/** A replay as its row has it. */
export type Replay = {
  id: number;
  enterpriseId: number;
  subscriptionId: number;
  state: ReplayState;
  criteria: ReplayCriteria;
  matching: ReplayMatching;
  /** Deliveries made a second, at most. */
  rate: number;
  /** While it is counted: so far. */
  total: number;
  made: number;
  position: WalkPosition;
  /** Later deliveries and events are not part of the replay. */
  lastSequence: number;
  lastEventRowId: number;
  error: string | null;
  createdBy: number | null;
  created: Date;
  started: Date | null;
  ended: Date | null;
};

/**
 * Where the walk goes on: after a sequence of the subscription, or after an event's id. A recovery
 * brings retries forward before its walk begins.
 */
export type WalkPosition = { phase: "retries" | "deliveries" | "events" | "end"; position: number };

export type ReplayAction = "pause" | "resume" | "cancel";

/** Replays of one subscription that may be open at once. */
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
    minItems: 1, // an empty list is nothing to repeat, and not what is repeated where none is given
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

/** The same for both, so that what was previewed can be sent again as it is. */
export const replaySchema = replaySchemaOf({
  ...criteria,
  rate: { type: "integer", minimum: 1, maximum: highestRate },
});

/** Deliveries of one selection: each webhook's are repeated in one transaction. */
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

/** The same for both, as above. */
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
 * The state after an action of a user. The other moves are the platform's own: counting → running,
 * running → done, any open one → failed. Throws the conflict where the state does not allow it.
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
 * Deliveries of one replay that may wait for their first try: few, so that pausing and cancelling
 * act at once and what happens now is not buried; but no fewer than a second's worth.
 */
export function maxUnattempted(rate: number): number {
  return Math.max(500, rate);
}

/**
 * How many may be made now: `pacedTo` is the time up to which the rate's allowance is used up.
 * Pure; undefined for a replay that has made none yet.
 */
export function allowanceOf(rate: number, pacedTo: Date | undefined, now: Date): number {
  const from = paceFrom(pacedTo, now);
  return Math.max(0, Math.floor(((now.getTime() - from) * rate) / 1_000));
}

/** `pacedTo` after so many were made. */
export function paceAfter(
  rate: number,
  pacedTo: Date | undefined,
  { now, made }: { now: Date; made: number },
): Date {
  const from = paceFrom(pacedTo, now);
  return new Date(from + (made * 1_000) / rate);
}

/** Unused allowance is kept no longer: a replay that was held up does not make up for it at once. */
const allowanceMs = 1_000;

/** So far ahead of now it was only before the clock was put back. */
const mostAheadMs = 5_000;

/** The time up to which the allowance is used up, by what `pacedTo` says of it. */
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
