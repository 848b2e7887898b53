/**
 * In: whoever asks. Out: how every part of the platform stands.
 * Guarantee: one look at a time, and two seconds from one to the next, however many ask; a queue
 * whose store is away makes its own figures unknown and no other's.
 */
import { objectKinds, type ObjectKind } from "../contracts/events.ts";
import { taskLanes, type TaskLane } from "../contracts/jobs.ts";
import type { Clock } from "../platform/clock.ts";
import { toError } from "../platform/errors.ts";
import { withTimeout } from "../platform/wait.ts";
import type { LaneReading, PassReading, PipelineReading, QueueReading, Readings } from "./ports.ts";

/** `queue` is undefined where it could not be read. */
export type Look = Readonly<{
  at: Date;
  deliveries: readonly Readonly<{ object: ObjectKind; queue: QueueReading | undefined }>[];
  lanes: readonly (LaneReading & Readonly<{ lane: TaskLane; queue: QueueReading | undefined }>)[];
  pipeline: PipelineReading;
  passes: readonly PassReading[];
  /** Since when queues cannot be read, as far as this process knows, and what was said last. */
  queuesAway: Readonly<{ since: Date; reason: string }> | undefined;
}>;

export type LookDeps = { readings: Readings; clock: Clock; nowMs?: () => number };

const keptMs = 2_000;

/** Looks, or gives the look of a moment ago. Rejects where the database is away. */
export function createLook(deps: LookDeps): () => Promise<Look> {
  const { nowMs = () => performance.now() } = deps;
  let away: Look["queuesAway"];
  let latest: { look: Promise<Look>; untilMs: number } | undefined;
  const lookNow = async (): Promise<Look> => {
    const { look, error } = await readAll(deps);
    away =
      error === undefined ? undefined : { since: away?.since ?? look.at, reason: error.message };
    return { ...look, queuesAway: away };
  };
  return () => {
    if (latest === undefined || nowMs() >= latest.untilMs) {
      // A look that takes long is waited for by all who ask meanwhile, not begun again beside itself.
      const begun = { look: lookNow(), untilMs: Number.POSITIVE_INFINITY };
      latest = begun;
      begun.look.then(
        () => {
          begun.untilMs = nowMs() + keptMs;
        },
        () => {
          // What failed is tried again by whoever asks next.
          latest = latest === begun ? undefined : latest;
        },
      );
    }
    return latest.look;
  };
}

/** Reads everything anew. */
async function readAll({ readings, clock }: LookDeps) {
  const at = clock.now();
  const [deliveries, lanes, pipeline, passes] = await Promise.all([
    Promise.all(
      objectKinds.map(async (object) => ({
        object,
        asked: await ask(readings.deliveryQueue(object)),
      })),
    ),
    Promise.all(
      taskLanes.map(async (lane) => ({
        ...(await readings.lane(lane, at)),
        lane,
        asked: await ask(readings.taskQueue(lane)),
      })),
    ),
    readings.pipeline(at),
    readings.passes(),
  ]);
  const errors = [...deliveries, ...lanes].flatMap(({ asked }) => asked.error ?? []);
  return {
    look: {
      at,
      deliveries: deliveries.map(({ object, asked }) => ({ object, queue: asked.value })),
      lanes: lanes.map(({ asked, ...lane }) => ({ ...lane, queue: asked.value })),
      pipeline,
      passes,
    },
    error: errors[0],
  };
}

/** A queue's client tries for longer; who looks at a page does not. */
const queueTimeoutMs = 3_000;

type Asked<T> = { value: T | undefined; error: Error | undefined };

async function ask<T>(reading: Promise<T>): Promise<Asked<T>> {
  try {
    const value = await withTimeout(reading, queueTimeoutMs, "The queue did not answer in time");
    return { value, error: undefined };
  } catch (thrown) {
    return { value: undefined, error: toError(thrown) };
  }
}
