/**
 * In: the rooms of the LiveKit server.
 * Out: only rooms of running sessions, with only participating pages in them.
 * Guarantee: within one sweep (15 s), pages that left, were removed, or reuse an old token are
 * disconnected.
 * On crash: the next sweep of any process continues.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { inChunks } from "../../platform/concurrency/queues.ts";
import { toError } from "../../platform/errors.ts";
import { isCanonicalUuid } from "../../platform/ids.ts";
import type { Logger } from "../../platform/logger.ts";
import type { MediaRouter } from "../ports.ts";
import { listSfuSessions, type SfuSession } from "./route-store.ts";
import type { Sfu } from "./sfu.ts";

export type SfuRoomsDeps = Readonly<{
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn">;
  /** Undefined: LiveKit is not configured, and every call is a mesh. */
  sfu: Sfu | undefined;
  /** Lease: a page without a heartbeat for this long counts as disconnected. */
  goneMs: number;
}>;

/**
 * Longer than the lease: a database outage, during which no heartbeat is stored, must not end
 * calls.
 */
const graceFactor = 3;

/** Rooms that do not respond, for 3 s each, must not delay the token checks that share the loop. */
const roomsAtOnce = 10;

export function createSfuRooms({
  db,
  clock,
  log,
  sfu,
  goneMs,
}: SfuRoomsDeps): Pick<MediaRouter, "leave" | "end" | "sweep"> {
  /** Fire-and-forget; the sweep retries failures. */
  const attempt = (work: (server: Sfu) => Promise<void>): void => {
    if (sfu !== undefined) {
      work(sfu).catch((thrown: unknown) => warn(log, thrown));
    }
  };
  return {
    leave: (sessionId, peerId) => attempt((server) => server.remove(sessionId, peerId)),
    end: (sessionId) => attempt((server) => server.endRoom(sessionId)),
    sweep: async () => {
      if (sfu === undefined) {
        return;
      }
      try {
        // Rooms of other applications on the same server are not named by a UUID.
        const names = (await sfu.listRooms()).filter(isCanonicalUuid);
        const context = { now: clock.now(), goneMs: goneMs * graceFactor };
        for (const sessions of inChunks(await listSfuSessions(db, names, context), roomsAtOnce)) {
          await Promise.all(sessions.map((session) => tidy(sfu, session, log)));
        }
      } catch (thrown) {
        warn(log, thrown);
      }
    },
  };
}

/** One room may fail, for example because its node of LiveKit is down. */
async function tidy(
  sfu: Sfu,
  { sessionId, isOver, peerIds }: SfuSession,
  log: SfuRoomsDeps["log"],
): Promise<void> {
  try {
    if (isOver) {
      await sfu.endRoom(sessionId);
      return;
    }
    for (const { peerId } of await sfu.listParticipants(sessionId)) {
      if (!peerIds.has(peerId)) {
        await sfu.remove(sessionId, peerId);
      }
    }
  } catch (thrown) {
    warn(log, thrown);
  }
}

function warn(log: SfuRoomsDeps["log"], thrown: unknown): void {
  log.warn({ reason: toError(thrown).message }, "signalling.livekit_failed");
}
