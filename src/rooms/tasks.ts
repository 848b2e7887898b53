import { inTransaction } from "../platform/db/pool.ts";
import type { RunningTask, TaskHandler, TaskHandlers } from "../platform/tasks/task.ts";
import { emptyAfterMs, sessionLimitMs } from "./judge.ts";
import type { RoomsDeps } from "./ports.ts";
import { holdRoom, settle, taskKey, type Entry, type taskData } from "./room.ts";
import type { OpenSession } from "./store.ts";

export function sessionTaskHandlers(deps: RoomsDeps): TaskHandlers {
  return {
    "session.empty": lookAgainAt(deps, ({ emptySince }) =>
      emptySince === null ? undefined : emptySince.getTime() + emptyAfterMs,
    ),
    "session.limit": lookAgainAt(deps, ({ startedAt }) => startedAt.getTime() + sessionLimitMs),
  };
}

/**
 * Looks at the room under its lock, which ends the session if it is time. Where it is not, since
 * the clocks of two machines differ a little, the timer comes again; where the room is not empty
 * any more, or its session another one, there is nothing to do.
 */
function lookAgainAt(
  deps: RoomsDeps,
  dueAt: (session: OpenSession) => number | undefined,
): TaskHandler {
  return async (task) => {
    const { session } = await inTransaction(deps.db, async (trx) =>
      settle(deps, await holdRoom(deps, trx, entryOfTask(task)), { kind: "look" }),
    );
    const isStill = session !== undefined && taskKey(session.id) === task.key;
    const due = isStill ? dueAt(session) : undefined;
    return due === undefined
      ? { kind: "done" }
      : { kind: "again", dueAt: new Date(due), reason: "not yet" };
  };
}

function entryOfTask({ enterpriseId, data }: RunningTask): Entry {
  const { kind, subjectId, conversationId } = data as ReturnType<typeof taskData>;
  return { ref: { kind, enterpriseId, id: subjectId }, conversationId };
}
