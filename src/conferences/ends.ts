import type { Scope } from "../contracts/permissions.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import type { Conference } from "./conference.ts";
import { listGuests } from "./guest-store.ts";
import { createNotices } from "./notices.ts";
import type { ConferenceDeps } from "./ports.ts";
import { requireMove, requireReach } from "./reach.ts";
import { lockConference, lockForSystem, updateConference } from "./store.ts";
import { createTimers } from "./timers.ts";

export type ConferenceEnds = {
  /** Calls a planned conference off. Guests who were invited are told. */
  cancel(scope: Scope, id: number): Promise<void>;
  /** Ends one that is going on, for everybody. */
  end(scope: Scope, id: number): Promise<Conference>;
};

/** Calls off a conference that the caller has locked. */
export type ApplyCancel = (
  trx: Trx,
  conference: Conference,
  caller: Pick<Scope, "userId">,
) => Promise<Conference>;

export function createApplyCancel(deps: ConferenceDeps): ApplyCancel {
  const timers = createTimers(deps);
  const notices = createNotices(deps);
  return async (trx, now, { userId }) => {
    const status = requireMove(now, "cancel");
    const at = deps.clock.now();
    const conference = await updateConference(trx, now, { status, at, endedAt: at });
    await timers.drop(trx, conference);
    const guests = await listGuests(trx, conference);
    await notices.cancel(trx, { conference, guests, userId, at });
    return conference;
  };
}

export function createConferenceEnds(
  deps: ConferenceDeps,
  applyCancel: ApplyCancel,
): ConferenceEnds {
  const { db, clock, endRoom } = deps;
  const timers = createTimers(deps);

  /** The room tells its conference that it is over; without a session nobody does. */
  const finish = async (trx: Trx, conference: Conference, at: Date): Promise<Conference> => {
    const now = (await lockForSystem(trx, conference)) ?? conference;
    if (now.status === "ended") {
      return now;
    }
    const status = requireMove(now, "end");
    const ended = await updateConference(trx, now, { status, at, endedAt: at });
    await timers.drop(trx, ended);
    return ended;
  };

  return {
    cancel: async (scope, id) => {
      await inTransaction(db, async (trx) => {
        const conference = requireReach(await lockConference(trx, scope, id), id);
        await applyCancel(trx, conference, scope);
      });
    },
    end: async (scope, id) =>
      inTransaction(db, async (trx) => {
        const conference = requireReach(await lockConference(trx, scope, id), id);
        requireMove(conference, "end");
        const at = clock.now();
        const { enterpriseId, conversationId } = conference;
        await endRoom(trx, { enterpriseId, conversationId });
        return finish(trx, conference, at);
      }),
  };
}
