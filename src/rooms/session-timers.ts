import { inTransaction } from "../platform/db/pool.ts";
import type { RunningTask, TaskHandler, TaskHandlers } from "../platform/tasks/task.ts";
import { emptyAfterMs, sessionLimitMs } from "./model.ts";
import type { RoomsDeps } from "./ports.ts";
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
 * Looks at the room under its lock, which ends the session if it is time. Where it is not, since
 * the clocks of two machines differ a little, the timer comes again; where the room is not empty
 * any more, or its session another one, there is nothing to do.
 */
function createRecheck(
  deps: RoomsDeps,
  dueAt: (session: OpenSession) => number | undefined,
): TaskHandler {
  return async (task) => {
    const { session } = await inTransaction(deps.db, async (trx) =>
      settleRoom(deps, await lockRoom(deps, trx, entryOfTask(task)), { kind: "look" }),
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
 * In: stays that are silent for 20 s. Out: the ends of them, and of sessions that nobody told about
 * for 60 s, which are a crash's.
 * Guarantee: each room in a transaction of its own, looked at again under its lock.
 * On crash: the next pass finds what this one left.
 */
const batchSize = 50;
const maxBatches = 20;

export function createSweep(deps: RoomsDeps) {
  const { db, clock, log } = deps;

  /** A room that cannot be settled must not keep the others from it. */
  const settleOne = async (room: SilentRoom): Promise<number> => {
    try {
      await inTransaction(db, async (trx) => {
        await settleRoom(deps, await lockRoom(deps, trx, room), { kind: "look" });
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
