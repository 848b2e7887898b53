/** What happens in a room, and what that makes of its conference. */
import type { Trx } from "../platform/db/pool.ts";
import { type ConferenceRef, afterSession, isOver, transition } from "./model.ts";
import type { ConferenceDeps } from "./ports.ts";
import { lockConferenceById, updateConference } from "./store.ts";
import { createConferenceTimers } from "./timers.ts";

type ConferenceRoomRef = Readonly<{ kind: "ticket" | "conference" }> & ConferenceRef;

type ConferenceRoomState = Readonly<{ conversationId: number; isOver: boolean; isLocked: boolean }>;

/** The conference side of a room; every call runs in the transaction of the room's own change. */
export type ConferenceRoom = {
  /** Locks the conference until the end of the transaction; undefined where there is none. */
  lock(trx: Trx, ref: ConferenceRoomRef): Promise<ConferenceRoomState | undefined>;
  /** The first who was let in. */
  sessionStarted(trx: Trx, ref: ConferenceRoomRef, at: Date): Promise<void>;
  sessionOver(
    trx: Trx,
    ref: ConferenceRoomRef,
    end: Readonly<{ cause: "empty" | "ended" | "limit" | "crash" }>,
  ): Promise<void>;
  /** Conferences keep no timeline: nothing follows from these. */
  agentContacted(): Promise<void>;
  met(): Promise<void>;
  established(): Promise<void>;
  left(): Promise<void>;
};

export function createConferenceRoom(
  deps: Pick<ConferenceDeps, "clock" | "tasks">,
): ConferenceRoom {
  const { clock } = deps;
  const timers = createConferenceTimers(deps);
  return {
    lock: async (trx, ref) => {
      const conference = await lockConferenceById(trx, ref);
      return (
        conference && {
          conversationId: conference.conversationId,
          isOver: isOver(conference.status),
          isLocked: conference.isLocked,
        }
      );
    },
    sessionStarted: async (trx, ref, at) => {
      const conference = await lockConferenceById(trx, ref);
      if (conference === undefined) {
        return;
      }
      const { isAllowed, to } = transition(conference.status, "start");
      if (isAllowed) {
        await updateConference(trx, conference, { status: to, at });
      }
    },
    sessionOver: async (trx, ref, { cause }) => {
      const conference = await lockConferenceById(trx, ref);
      if (conference?.status !== "ongoing") {
        return;
      }
      const at = clock.now();
      const action = cause === "ended" ? "end" : afterSession(conference, at);
      const { to } = transition(conference.status, action);
      const isEnded = action === "end";
      const after = await updateConference(trx, conference, {
        status: to,
        at,
        ...(isEnded ? { endedAt: at } : {}),
      });
      await (isEnded ? timers.cancel(trx, after) : timers.schedule(trx, after));
    },
    agentContacted: noop,
    met: noop,
    established: noop,
    left: noop,
  };
}

async function noop(): Promise<void> {
  return undefined;
}
