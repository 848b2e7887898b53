import { inTransaction } from "../platform/db/transaction.ts";
import type { RunningTask, TaskHandler, TaskHandlers } from "../platform/tasks/task.ts";
import { emptyAfterMs, type RoomsDeps, sessionLimitMs } from "./model.ts";
import { lockRoom, settleRoom, taskKey, type RoomEntry, type taskData } from "./room.ts";
import type { OpenSession } from "./store.ts";
import { toError } from "../platform/errors.ts";
import { listSilentRooms, type SilentRoom } from "./participations-store.ts";

export function sessionTaskHandlers(deps: RoomsDeps): TaskHandlers {
  return {
    "session.empty": createRecheck(deps, ({ emptySince }) =>
      emptySince === null ? undefined : emptySince.getTime() + emptyAfterMs,
    ),
    "session.limit": createRecheck(deps, ({ startedAt }) => startedAt.getTime() + sessionLimitMs),
  };
}

/**
 * Checks the room under its lock and ends the session if due. Reschedules a task that ran early
 * because of clock skew; ignores a task of a changed session.
 */
function createRecheck(
  deps: RoomsDeps,
  dueAt: (session: OpenSession) => number | undefined,
): TaskHandler {
  return async (task) => {
    const { session } = await inTransaction(deps.db, async (trx) =>
      settleRoom(deps, await lockRoom(deps, trx, entryOfTask(task)), { kind: "check" }),
    );
    const isStill = session !== undefined && taskKey(session.id) === task.key;
    const due = isStill ? dueAt(session) : undefined;
    return due === undefined
      ? { kind: "done" }
      : { kind: "again", dueAt: new Date(due), reason: "not yet" };
  };
}

function entryOfTask({ enterpriseId, data }: RunningTask): RoomEntry {
  const { kind, subjectId, conversationId } = data as ReturnType<typeof taskData>;
  return { ref: { kind, enterpriseId, id: subjectId }, conversationId };
}

/**
 * In: participations without a heartbeat for 20 s.
 * Out: their end, and the end of sessions without heartbeats for 60 s (crash).
 * Guarantee: each room is checked again under its lock, in its own transaction.
 * On crash: the next pass continues.
 */
const batchSize = 50;
const maxBatches = 20;

export function createSweep(deps: RoomsDeps) {
  const { db, clock, log } = deps;

  /** A failing room must not block the others. */
  const settleOne = async (room: SilentRoom): Promise<number> => {
    try {
      await inTransaction(db, async (trx) => {
        await settleRoom(deps, await lockRoom(deps, trx, room), { kind: "check" });
      });
      return 1;
    } catch (thrown) {
      const { sessionId: session_id } = room;
      log.error({ session_id, reason: toError(thrown).message }, "room.not_settled");
      return 0;
    }
  };

  return async (signal?: AbortSignal): Promise<number> => {
    const tried: string[] = [];
    let settled = 0;
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const rooms = await listSilentRooms(db, clock.now(), { except: tried, limit: batchSize });
      for (const room of rooms) {
        if (signal?.aborted === true) {
          return settled;
        }
        tried.push(room.sessionId);
        settled += await settleOne(room);
      }
      if (rooms.length < batchSize) {
        return settled;
      }
    }
    return settled;
  };
}
