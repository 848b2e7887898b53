import type { Scope } from "../contracts/permissions.ts";
import { madeOrRefused } from "../contracts/problems.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import type { Conference } from "./conference.ts";
import { requireUsers } from "./parties.ts";
import { addGuests, keepGuests, listGuests, type InvitedGuest } from "./guest-store.ts";
import { parseConferenceChange, type ChangeWish } from "./input.ts";
import { createNotices } from "./notices.ts";
import { parseParticipants, requireRoom } from "./participants.ts";
import { sealPassword } from "./password.ts";
import type { ConferenceDeps, SentInvitation } from "./ports.ts";
import { requireMove, requireReach } from "./reach.ts";
import type { ChangeConferenceBody, InviteBody } from "./schema.ts";
import { lockConference, updateConference, type ConferenceFields } from "./store.ts";
import { createTimers } from "./timers.ts";

type Caller = Pick<Scope, "enterpriseId" | "userId">;

/** Whom a change invites: by default nobody. */
export type Inviting = "nobody" | "everybody" | "newcomers";

export type ConferenceChanges = {
  change(scope: Scope, id: number, body: ChangeConferenceBody): Promise<Conference>;
  /** Invites guests, new ones too. Without names: everybody who is on the list. */
  invite(scope: Scope, id: number, body: InviteBody): Promise<readonly SentInvitation[]>;
};

type Change = Readonly<{ caller: Caller; wish: ChangeWish }>;

/** Changes a conference that the caller has locked. */
export type ApplyChange = (
  trx: Trx,
  conference: Conference,
  order: Change & Readonly<{ inviting: Inviting }>,
) => Promise<Conference>;

export function createApplyChange(deps: ConferenceDeps): ApplyChange {
  const { clock } = deps;
  const timers = createTimers(deps);
  const notices = createNotices(deps);

  /** Makes the list of guests the one that was given. Out: who was on it before. */
  const replaceGuests = async (
    trx: Trx,
    conference: Conference,
    { caller, wish, at }: { caller: Caller; wish: ChangeWish; at: Date },
  ): Promise<ReadonlySet<string>> => {
    const before = new Set((await listGuests(trx, conference)).map(contactOf));
    if (wish.participants !== undefined) {
      const guests = await keepGuests(trx, conference, wish.participants);
      await addGuests(trx, conference, wish.participants, at);
      await notices.cancel(trx, { conference, guests, userId: caller.userId, at });
    }
    return before;
  };

  return async (trx, now, { caller, wish, inviting }) => {
    const status = requireMove(now, "change");
    const at = clock.now();
    const fields = await changedFields(deps, trx, now, { caller, wish });
    const after = await updateConference(trx, now, { status, at, fields });
    const before = await replaceGuests(trx, after, { caller, wish, at });
    await timers.plan(trx, after);
    if (inviting !== "nobody") {
      const isWanted = (guest: InvitedGuest): boolean =>
        inviting === "everybody" || !before.has(contactOf(guest));
      await notices.invite(trx, { conference: after, userId: caller.userId, at, isWanted });
    }
    return after;
  };
}

/** The fields after the change: what it does not name stays. */
async function changedFields(
  deps: ConferenceDeps,
  trx: Trx,
  now: Conference,
  change: Change,
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

/** One transaction that first locks the conference: of two who race, the second sees the first. */
export function createConferenceChanges(
  deps: ConferenceDeps,
  apply: ApplyChange,
): ConferenceChanges {
  const { db, clock } = deps;
  const notices = createNotices(deps);
  return {
    change: async (scope, id, body) => {
      const wishFor = await madeOrRefused(
        () => parseConferenceChange(body, clock.now()),
        () => requireUsers(deps, db, scope, body),
      );
      return inTransaction(db, async (trx) => {
        const now = requireReach(await lockConference(trx, scope, id), id);
        const wish = wishFor(now);
        const inviting = wish.isInvited === true ? "everybody" : "nobody";
        return apply(trx, now, { caller: scope, wish, inviting });
      });
    },
    invite: async (scope, id, { participants }) => {
      const named = participants === undefined ? undefined : parseParticipants(participants);
      return inTransaction(db, async (trx) => {
        const conference = requireReach(await lockConference(trx, scope, id), id);
        requireMove(conference, "invite");
        const at = clock.now();
        await addGuests(trx, conference, named ?? [], at);
        requireRoom((await listGuests(trx, conference)).length);
        const wanted = named && new Set(named.map(contactOf));
        return notices.invite(trx, {
          conference,
          userId: scope.userId,
          at,
          isWanted: (guest) => wanted?.has(contactOf(guest)) ?? true,
        });
      });
    },
  };
}

function contactOf({ email, phone }: Pick<InvitedGuest, "email" | "phone">): string {
  return email ?? phone ?? "";
}
