/** What the page of a meeting shows before anybody enters. It is public to holders of the link. */
import type { Scope } from "../contracts/permissions.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import { staffRole } from "./access.ts";
import type { ConferenceStatus } from "../contracts/conferences.ts";
import type { Conference } from "./model.ts";
import type { ConferenceDeps } from "./ports.ts";
import { findByRoom, findConference } from "./store.ts";

export type RoomPageFacts = Readonly<{
  name: string;
  status: ConferenceStatus;
  start_time: string;
  end_time: string;
  /** Empty if the organizer has no name. */
  organizer: string;
  is_password_required: boolean;
  is_locked: boolean;
  /** The signed-in user, if they may enter with their account. */
  account: Readonly<{ conference_id: number; role: string }> | null;
}>;

export type RoomPageOrder = Readonly<{
  serviceKey: string;
  roomName: string;
  /** Of the signed-in user, if they may read conferences. */
  scope: Scope | undefined;
}>;

export type FindRoomPage = (order: RoomPageOrder) => Promise<RoomPageFacts | undefined>;

export type RoomPageDeps = Pick<ConferenceDeps, "db"> & {
  directory: Pick<ConferenceDeps["directory"], "findUser">;
};

export function createRoomPage({ db, directory }: RoomPageDeps): FindRoomPage {
  /** Logins are not shown to guests. */
  const organizerOf = async ({ enterpriseId, organizer }: Conference): Promise<string> => {
    const user = await directory.findUser(db, enterpriseId, organizer.id);
    return user === undefined || user.displayName === user.login ? "" : user.displayName;
  };
  const findAccount = async (
    scope: Scope | undefined,
    conference: Conference,
  ): Promise<RoomPageFacts["account"]> => {
    if (scope?.enterpriseId !== conference.enterpriseId) {
      return null;
    }
    const found = await findConference(db, scope, conference.id);
    return found?.isInReach === true
      ? { conference_id: conference.id, role: staffRole(conference, scope.userId) }
      : null;
  };
  return async ({ serviceKey, roomName, scope }) => {
    const conference = await findByRoom(db, { serviceKey, roomName });
    if (conference === undefined) {
      return undefined;
    }
    return {
      name: conference.name,
      status: conference.status,
      start_time: toTimestamp(conference.startTime),
      end_time: toTimestamp(conference.endTime),
      organizer: await organizerOf(conference),
      is_password_required: conference.passwordSealed !== null,
      is_locked: conference.isLocked,
      account: await findAccount(scope, conference),
    };
  };
}
