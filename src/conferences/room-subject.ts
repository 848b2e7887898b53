/** How a conference reacts to its room: implements `RoomSubject`. */
import type { RoomSubject } from "../contracts/rooms.ts";
import type { Trx } from "../platform/db/pool.ts";
import { afterSession, isOver, transition } from "./model.ts";
import type { ConferenceDeps } from "./ports.ts";
import { lockConferenceById, updateConference } from "./store.ts";
import { createConferenceTimers } from "./timers.ts";

export function createConferenceRoom(
  deps: Pick<ConferenceDeps, "clock" | "tasks">,
): RoomSubject<Trx> {
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
    sessionEnded: async (trx, ref, { cause }) => {
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
    bothPresent: noop,
    established: noop,
    participantLeft: noop,
  };
}

async function noop(): Promise<void> {
  return undefined;
}
