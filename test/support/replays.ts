import { createAudit } from "../../src/audit/audit-log.ts";
import type { Caller } from "../../src/http/route.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { createTasks, type RunningTask } from "../../src/platform/tasks/task.ts";
import { createRecoveries, recoveryRoutes } from "../../src/deliveries/replays/recovery.ts";
import { replayRoutes } from "../../src/deliveries/replays/routes.ts";
import { createReplays } from "../../src/deliveries/replays/service.ts";
import { createReplayTasks } from "../../src/deliveries/replays/step.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { eventually } from "./eventually.ts";
import { serveCallers, type Call } from "./callers-api.ts";

export type ReplayApi = {
  readonly clock: TestClock;
  /** The number of wake-ups for due deliveries. */
  readonly dueCalls: () => number;
  as(caller: Caller): Call;
  /** Runs the task of a replay once, like a worker that has leased it. */
  run(replayId: number): Promise<void>;
  /** Runs the task at intervals of one second until `until` returns true. */
  runUntil(replayId: number, until: () => Promise<boolean>): Promise<void>;
  /** Runs the task until the replay has ended. Its deliveries count as delivered immediately. */
  finish(replayId: number): Promise<void>;
  close(): Promise<void>;
};

type OpenTask = {
  id: number;
  enterprise_id: number;
  data: Record<string, unknown>;
  generation: number;
};

/** The replay operations on a real HTTP server; the test runs their task. */
export async function startReplayApi(db: Db): Promise<ReplayApi> {
  const clock = createTestClock(new Date());
  let due = 0;
  const deps = {
    db,
    clock,
    tasks: createTasks({ clock, wake: () => undefined }),
    onDue: () => {
      due += 1;
    },
    retentionDays: 30,
  };
  const replays = createReplays({ ...deps, audit: createAudit() });
  const recoveries = createRecoveries({ ...deps, audit: createAudit() });
  const api = await serveCallers([
    ...replayRoutes({ replays, clock }),
    ...recoveryRoutes({ recoveries, clock }),
  ]);
  const handler = createReplayTasks(deps)["replay.step"];
  const run = async (replayId: number): Promise<void> => {
    const key = `replay:${replayId}`;
    const [open] = await rowsOf<OpenTask>(
      db,
      `SELECT id, enterprise_id, data, generation FROM tasks
       WHERE kind = 'replay.step' AND key = ? AND ended_at IS NULL`,
      [key],
    );
    if (open !== undefined) {
      const { id, data, generation, enterprise_id: enterpriseId } = open;
      const task: RunningTask = {
        ...{ id, key, enterpriseId, data, generation },
        kind: "replay.step",
        attempt: 1,
      };
      await handler?.(task, new AbortController().signal);
    }
  };
  const runUntil: ReplayApi["runUntil"] = (replayId, until) =>
    eventually(
      async () => {
        await run(replayId);
        clock.advance(1_000);
        if (!(await until())) {
          throw new Error("not yet");
        }
      },
      { everyMs: 0, timeoutMs: 20_000 },
    );
  return {
    clock,
    dueCalls: () => due,
    as: api.as,
    run,
    runUntil,
    finish: (replayId) =>
      runUntil(replayId, async () => {
        await endAll(db, replayId);
        const [row] = await rowsOf<{ state: string }>(
          db,
          "SELECT state FROM replays WHERE id = ?",
          [replayId],
        );
        return row !== undefined && !["counting", "running"].includes(row.state);
      }),
    close: api.close,
  };
}

/** Marks all deliveries of a replay as delivered. */
export async function endAll(db: Db, replayId: number): Promise<void> {
  await rowsOf(
    db,
    `UPDATE deliveries SET state = 'delivered', attempts = 1, ended_at = now(), last_result = '2xx',
       waits_for = NULL
     WHERE replay_id = ? AND state = 'pending'`,
    [replayId],
  );
}

export type Seeded = {
  eventRowId: number;
  eventId: string;
  occurredAt: Date;
  deliveryId: number | null;
  sequence: number | null;
};

export type Seed = {
  /** State of the delivery; undefined for an event without a delivery. */
  state?: string;
  object?: string;
  event?: string;
  eventType?: string | null;
  key?: string;
  body?: unknown;
  result?: string;
  /** Age of the event. */
  ageMs?: number;
  isExpunged?: boolean;
  isEventGone?: boolean;
};

const endedStates = ["delivered", "dead", "cancelled"];

async function seedEvent(db: Db, enterpriseId: number, seed: Seed, at: Date) {
  const { object = "ticket", event = "update", eventType = null, isExpunged = false } = seed;
  const [row] = await rowsOf<{ id: number; event_id: string }>(
    db,
    `INSERT INTO events (occurred_at, event_id, enterprise_id, object, event, event_type,
       object_id, key, body, expunged_at)
     VALUES (?, 'evt_' || gen_random_uuid(), ?, ?, ?, ?, '1', ?, ?, ?) RETURNING id, event_id`,
    [
      ...[at, enterpriseId, object, event, eventType, seed.key ?? "ticket:1"],
      isExpunged ? "" : JSON.stringify(seed.body ?? { event, object, props: {} }),
      isExpunged ? at : null,
    ],
  );
  return row ?? { id: 0, event_id: "" };
}

async function seedDelivery(
  db: Db,
  sub: { id: number; enterprise_id: number },
  { state = "dead", object = "ticket", key = "ticket:1", result }: Seed,
  { eventRowId, at }: { eventRowId: number; at: Date },
) {
  const [row] = await rowsOf<{ id: number; sequence: number }>(
    db,
    `WITH next AS (
       UPDATE subscription_health SET last_sequence = last_sequence + 1 WHERE subscription_id = ?
       RETURNING last_sequence)
     INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
       key, state, due_at, created_at, ended_at, last_result)
     SELECT ?, ?, last_sequence, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM next RETURNING id, sequence`,
    [
      ...[sub.id, sub.enterprise_id, sub.id, eventRowId, at, object, key, state, at, at],
      ...[endedStates.includes(state) ? at : null, result ?? null],
    ],
  );
  return row;
}

/** Past events, each with its delivery to the subscription unless `state` is undefined. */
export async function seedPast(
  db: Db,
  sub: { id: number; enterprise_id: number },
  seeds: readonly Seed[],
): Promise<Seeded[]> {
  const seeded: Seeded[] = [];
  for (const seed of seeds) {
    const at = new Date(Date.now() - (seed.ageMs ?? 60_000));
    const event = await seedEvent(db, sub.enterprise_id, seed, at);
    const input = { eventRowId: event.id, at };
    const made = seed.state === undefined ? undefined : await seedDelivery(db, sub, seed, input);
    if (seed.isEventGone === true) {
      await rowsOf(db, "DELETE FROM events WHERE id = ?", [event.id]);
    }
    seeded.push({
      eventRowId: event.id,
      eventId: event.event_id,
      occurredAt: at,
      deliveryId: made?.id ?? null,
      sequence: made?.sequence ?? null,
    });
  }
  return seeded;
}

export type MadeRow = {
  id: number;
  sequence: number;
  event_row_id: number;
  state: string;
  waits_for: number | null;
  replay_of: number | null;
  end_reason: string | null;
};

/** The deliveries that a replay has created, ordered by sequence. */
export function readMade(db: Db, replayId: number): Promise<MadeRow[]> {
  return rowsOf(
    db,
    `SELECT id, sequence, event_row_id, state, waits_for, replay_of, end_reason FROM deliveries
     WHERE replay_id = ? ORDER BY sequence`,
    [replayId],
  );
}

/**
 * Whether the sequences of a subscription are contiguous from 1 to the last one in its health row.
 */
export async function hasNoGap(db: Db, subscriptionId: number): Promise<boolean> {
  const [row] = await rowsOf<{ is_whole: boolean }>(
    db,
    `SELECT count(*) = h.last_sequence AND coalesce(max(d.sequence), 0) = h.last_sequence AS is_whole
     FROM subscription_health h LEFT JOIN deliveries d ON d.subscription_id = h.subscription_id
     WHERE h.subscription_id = ? GROUP BY h.last_sequence`,
    [subscriptionId],
  );
  return row?.is_whole === true || row === undefined;
}
