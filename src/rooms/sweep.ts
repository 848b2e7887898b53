/**
 * In: stays that are silent for 20 s. Out: the ends of them, and of sessions that nobody told about
 * for 60 s, which are a crash's.
 * Guarantee: each room in a transaction of its own, looked at again under its lock.
 * On crash: the next pass finds what this one left.
 */
import { inTransaction } from "../platform/db/pool.ts";
import { toError } from "../platform/errors.ts";
import type { RoomsDeps } from "./ports.ts";
import { holdRoom, settle } from "./room.ts";
import { listSilentRooms, type SilentRoom } from "./stays-store.ts";

const batchSize = 50;
const maxBatches = 20;

export function createSweep(deps: RoomsDeps) {
  const { db, clock, log } = deps;

  /** A room that cannot be settled must not keep the others from it. */
  const settleOne = async (room: SilentRoom): Promise<number> => {
    try {
      await inTransaction(db, async (trx) => {
        await settle(deps, await holdRoom(deps, trx, room), { kind: "look" });
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
