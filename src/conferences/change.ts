import type { ConferenceInvitation, UnsendableRule } from "../contracts/invitations.ts";
import type { Scope } from "../contracts/permissions.ts";
import { makeAndCheck, problem } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import {
  type ChangeConferenceBody,
  type Conference,
  type ConferenceCaller,
  type ConferenceDeps,
  type ConferenceRef,
  type InviteBody,
  isOver,
} from "./model.ts";
import { requireUsers } from "./create.ts";
import { addGuests, deleteGuestsExcept, listGuests, type InvitedGuest } from "./guest-store.ts";
import {
  contactOf,
  parseConferenceChange,
  type ConferenceChangeInput,
  parseParticipants,
  requireGuestLimit,
} from "./input.ts";
import { createNotices } from "./notices.ts";
import { sealPassword } from "./credentials.ts";
import { requireTransition, requireReach } from "./access.ts";
import {
  isConferenceLocked,
  lockConference,
  updateConference,
  updateLock,
  type ConferenceFields,
  lockConferenceById,
} from "./store.ts";
import { createConferenceTimers } from "./lifecycle.ts";

/** Which guests are invited after a change. */
export type InvitationScope = "nobody" | "everybody" | "uninvited";

export type ConferenceChanges = {
  change(scope: Scope, id: number, body: ChangeConferenceBody): Promise<Conference>;
  /** Invites guests and adds new ones to the list. Without names: all guests of the list. */
  invite(scope: Scope, id: number, body: InviteBody): Promise<readonly ConferenceInvitation[]>;
};

type ConferenceChangeOrder = Readonly<{ caller: ConferenceCaller; wish: ConferenceChangeInput }>;

/** Changes a conference that the caller has locked. */
export type ApplyChange = (
  trx: Trx,
  conference: Conference,
  order: ConferenceChangeOrder & Readonly<{ invitationScope: InvitationScope }>,
) => Promise<Conference>;

export type ConferenceEnds = {
  /** Cancels a scheduled conference and notifies invited guests. */
  cancel(scope: Scope, id: number): Promise<void>;
  /** Ends a running conference for everybody. */
  end(scope: Scope, id: number): Promise<Conference>;
};

/** Cancels a conference that the caller has locked. */
export type ApplyCancel = (
  trx: Trx,
  conference: Conference,
  caller: Pick<Scope, "userId">,
) => Promise<Conference>;

export function createApplyChange(deps: ConferenceDeps, rule: UnsendableRule): ApplyChange {
  const { clock } = deps;
  const timers = createConferenceTimers(deps);
  const notices = createNotices(deps);

  /** Replaces the list of guests. Those removed know the conference as it was before the change. */
  const replaceGuests = async (
    trx: Trx,
    before: Conference,
    { caller, wish, at }: { caller: ConferenceCaller; wish: ConferenceChangeInput; at: Date },
  ): Promise<void> => {
    if (wish.participants !== undefined) {
      const guests = await deleteGuestsExcept(trx, before, wish.participants);
      await addGuests(trx, before, wish.participants, at);
      await notices.cancel(trx, { conference: before, guests, userId: caller.userId, at });
    }
  };

  return async (trx, now, { caller, wish, invitationScope }) => {
    const status = requireTransition(now, "change");
    const at = clock.now();
    const fields = await changedFields(deps, trx, now, { caller, wish });
    const after = await updateConference(trx, now, { status, at, fields });
    await replaceGuests(trx, now, { caller, wish, at });
    await timers.schedule(trx, after);
    if (invitationScope !== "nobody") {
      const isWanted = (guest: InvitedGuest): boolean =>
        invitationScope === "everybody" || guest.invitedAt === null;
      const { userId } = caller;
      await notices.invite(trx, { conference: after, userId, at, isWanted, rule });
    }
    return after;
  };
}

/** The fields after the change; absent ones stay unchanged. */
async function changedFields(
  deps: ConferenceDeps,
  trx: Trx,
  now: Conference,
  change: ConferenceChangeOrder,
): Promise<ConferenceFields> {
  const { password, fields } = change.wish;
  const moderatorNow = now.moderator.id === now.organizer.id ? null : now.moderator.id;
  const users = await requireUsers(deps, trx, change.caller, change.wish);
  const sealed = password ? sealPassword(deps.secretBox, now.roomName, password) : null;
  return {
    name: now.name,
    isModerated: now.isModerated,
    isOpen: now.isOpen,
    isLocked: now.isLocked,
    language: now.language,
    message: now.message,
    reminderMinutes: now.reminderMinutes,
    startTime: now.startTime,
    endTime: now.endTime,
    ...fields,
    passwordSealed: password === undefined ? now.passwordSealed : sealed,
    organizerId: users.organizer ?? now.organizer.id,
    moderatorId: users.moderator ?? moderatorNow,
  };
}

/** Runs each change in one transaction with the conference locked. */
export function createConferenceChanges(
  deps: ConferenceDeps,
  apply: ApplyChange,
): ConferenceChanges {
  const { db, clock } = deps;
  const notices = createNotices(deps);
  return {
    change: async (scope, id, body) => {
      const wishFor = await makeAndCheck(
        () => parseConferenceChange(body, clock.now()),
        () => requireUsers(deps, db, scope, body),
      );
      return inTransaction(db, async (trx) => {
        const now = requireReach(await lockConference(trx, scope, id), id);
        const wish = wishFor(now);
        const invitationScope = wish.isInvited === true ? "everybody" : "nobody";
        return apply(trx, now, { caller: scope, wish, invitationScope });
      });
    },
    invite: async (scope, id, { participants }) => {
      const named = participants === undefined ? undefined : parseParticipants(participants);
      return inTransaction(db, async (trx) => {
        const conference = requireReach(await lockConference(trx, scope, id), id);
        requireTransition(conference, "invite");
        const at = clock.now();
        await addGuests(trx, conference, named ?? [], at);
        requireGuestLimit((await listGuests(trx, conference)).length);
        const wanted = named && new Set(named.map(contactOf));
        return notices.invite(trx, {
          conference,
          userId: scope.userId,
          at,
          isWanted: (guest) => wanted?.has(contactOf(guest)) ?? true,
          rule: { unsendable: "refuse" },
        });
      });
    },
  };
}

export function createApplyCancel(deps: ConferenceDeps): ApplyCancel {
  const timers = createConferenceTimers(deps);
  const notices = createNotices(deps);
  return async (trx, now, { userId }) => {
    const status = requireTransition(now, "cancel");
    const at = deps.clock.now();
    const conference = await updateConference(trx, now, { status, at, endedAt: at });
    await timers.cancel(trx, conference);
    const guests = await listGuests(trx, conference);
    await notices.cancel(trx, { conference, guests, userId, at });
    return conference;
  };
}

export function createConferenceEnds(
  deps: ConferenceDeps,
  applyCancel: ApplyCancel,
): ConferenceEnds {
  const { db, clock, endRoom, wakeRoom } = deps;
  const timers = createConferenceTimers(deps);

  /** If a session is running, the room ends the conference; otherwise this does. */
  const finish = async (trx: Trx, conference: Conference, at: Date): Promise<Conference> => {
    const now = (await lockConferenceById(trx, conference)) ?? conference;
    if (now.status === "ended") {
      return now;
    }
    const status = requireTransition(now, "end");
    const ended = await updateConference(trx, now, { status, at, endedAt: at });
    await timers.cancel(trx, ended);
    return ended;
  };

  return {
    cancel: async (scope, id) => {
      const cancelled = await inTransaction(db, async (trx) => {
        const conference = requireReach(await lockConference(trx, scope, id), id);
        return applyCancel(trx, conference, scope);
      });
      wakeRoom(cancelled.conversationId);
    },
    end: async (scope, id) => {
      const ended = await inTransaction(db, async (trx) => {
        const conference = requireReach(await lockConference(trx, scope, id), id);
        requireTransition(conference, "end");
        const at = clock.now();
        const { enterpriseId, conversationId } = conference;
        await endRoom(trx, { enterpriseId, conversationId });
        return finish(trx, conference, at);
      });
      wakeRoom(ended.conversationId);
      return ended;
    },
  };
}

export type ConferenceLock = {
  isLocked(ref: ConferenceRef): Promise<boolean>;
  /** By a host in the room. A conflict if the conference is over. */
  setLock(ref: ConferenceRef, isLocked: boolean): Promise<void>;
};

export function createConferenceLock({
  db,
  clock,
}: Pick<ConferenceDeps, "db" | "clock">): ConferenceLock {
  return {
    isLocked: (ref) => isConferenceLocked(db, ref),
    setLock: (ref, isLocked) =>
      inTransaction(db, async (trx) => {
        const now = await lockConferenceById(trx, ref);
        if (now === undefined || isOver(now.status)) {
          throw problem("conflict", "The meeting has ended.");
        }
        await updateLock(trx, now, { isLocked, at: clock.now() });
      }),
  };
}
