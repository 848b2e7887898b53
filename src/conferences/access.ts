/**
 * Who may enter a room, and in which role. Roles come from the account, never from the URL: link
 * holders are participants and wait if the conference is moderated.
 */
import { userParticipant } from "../contracts/rooms.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Guest, RoomRole } from "../http/route.ts";
import type { Queryable } from "../platform/db/pool.ts";
import { truncate } from "../http/values.ts";
import {
  type Conference,
  type ConferenceAction,
  type ConferenceDeps,
  isOver,
  transition,
} from "./model.ts";
import type { ConferenceStatus } from "../contracts/conferences.ts";
import {
  type ConferencePassword,
  openPassword,
  passwordRefusal,
  userOfLinkToken,
} from "./credentials.ts";
import { findByRoom, findConference, type FoundConference } from "./store.ts";

const maxNameLength = 64;

type StaffRole = "organizer" | "moderator" | "participant";

/** A caller who wants to enter. `isInReach` if the account may read the conference. */
type Visitor = Readonly<{
  userId: number | null;
  isInReach: boolean;
  password: string | undefined;
}>;

export type Access = Readonly<{
  role: Extract<RoomRole, StaffRole | "waiting"> | null;
  isPasswordRequired: boolean;
  /** No guest can enter until the password is replaced or removed. */
  isPasswordUndecryptable: boolean;
  /** Why entry is denied; null if the visitor may enter, or wait. */
  reason: "password" | "undecryptable" | "locked" | "ended" | "cancelled" | null;
}>;

export type RoomPass = Readonly<{
  conference: Conference;
  token: string;
  expiresInSeconds: number;
  role: RoomRole;
  name: string;
}>;

export type GuestEntryOrder = Readonly<{
  serviceKey: string;
  roomName: string;
  password: string | undefined;
  name: string | undefined;
  /** From an `sso_url`, in place of a password. */
  accessToken: string | undefined;
}>;

export type ConferenceAccess = {
  /**
   * Whether this caller may enter, and in which role. A caller out of reach is treated as a guest.
   */
  check(
    scope: Scope,
    id: number,
    password: string | undefined,
  ): Promise<{ conference: Conference; access: Access }>;
  /** A room token for a caller within reach. */
  enter(scope: Scope, id: number): Promise<RoomPass>;
  /** A room token for a holder of the link. */
  enterAsGuest(order: GuestEntryOrder): Promise<RoomPass>;
};

const tokenTtlSeconds = 12 * 60 * 60;

export function createConferenceAccess(deps: ConferenceDeps): ConferenceAccess {
  const { db, clock, ids, directory, roomTokens, secretBox } = deps;

  const issuePass = async (conference: Conference, guest: Guest): Promise<RoomPass> => {
    const expiresAt = new Date(clock.now().getTime() + tokenTtlSeconds * 1000);
    const token = await roomTokens.issue(guest, expiresAt);
    const { role, name } = guest;
    return { conference, token, expiresInSeconds: tokenTtlSeconds, role, name };
  };

  const nameOf = async (on: Queryable, { enterpriseId, userId }: Scope): Promise<string> =>
    (await directory.findUser(on, enterpriseId, userId))?.displayName ?? "";

  const enterByLink = async (conference: Conference, token: string): Promise<RoomPass> => {
    requireNotOver(conference);
    const { enterpriseId } = conference;
    const userId = userOfLinkToken(secretBox, conference, token);
    const user =
      userId === undefined ? undefined : await directory.findUser(db, enterpriseId, userId);
    if (user === undefined) {
      throw problem("forbidden", "The link is invalid or has expired.", {
        details: "Parameter access_token",
      });
    }
    const who = { name: user.displayName, visit: ids.uuid() };
    return issuePass(conference, staffGuest(conference, user.id, who));
  };

  return {
    check: async (scope, id, password) => {
      const { conference, isInReach } = requireFound(await findConference(db, scope, id), id);
      const visitor = { userId: scope.userId, isInReach, password };
      return { conference, access: assess(secretBox, conference, visitor) };
    },
    enter: async (scope, id) => {
      const conference = requireReach(await findConference(db, scope, id), id);
      const visitor = { userId: scope.userId, isInReach: true, password: undefined };
      requireEntry(conference, assess(secretBox, conference, visitor));
      const name = await nameOf(db, scope);
      return issuePass(
        conference,
        staffGuest(conference, scope.userId, { name, visit: ids.uuid() }),
      );
    },
    enterAsGuest: async ({ serviceKey, roomName, ...order }) => {
      const conference = await findByRoom(db, { serviceKey, roomName });
      if (conference === undefined) {
        throw problem("not_found", "The room was not found.");
      }
      if (order.accessToken !== undefined) {
        return enterByLink(conference, order.accessToken);
      }
      const visitor = { userId: null, isInReach: false, password: order.password };
      const role = requireEntry(conference, assess(secretBox, conference, visitor));
      const visit = ids.uuid();
      const participant = `guest-${ids.uuid()}`;
      const who = { role, participant, visit, userId: null, name: cleanName(order.name) };
      return issuePass(conference, toGuest(conference, who));
    },
  };
}

/** A user with an account, in their role in the conference. */
function staffGuest(
  conference: Conference,
  userId: number,
  { name, visit }: Pick<Guest, "name" | "visit">,
): Guest {
  return toGuest(conference, {
    role: staffRole(conference, userId),
    participant: userParticipant(userId),
    visit,
    userId,
    name: truncate(name, maxNameLength),
  });
}

function toGuest(
  { enterpriseId, conversationId, id }: Conference,
  who: Pick<Guest, "role" | "participant" | "visit" | "userId" | "name">,
): Guest {
  return { enterpriseId, conversationId, ticketId: null, conferenceId: id, ...who };
}

function assess(
  box: ConferenceDeps["secretBox"],
  conference: Conference,
  visitor: Visitor,
): Access {
  const { status } = conference;
  const password = openPassword(box, conference);
  const facts = {
    isPasswordRequired: password.kind !== "none",
    isPasswordUndecryptable: password.kind === "undecryptable",
  };
  if (status === "ended" || status === "cancelled") {
    return { ...facts, role: null, reason: status };
  }
  const role = visitor.userId === null ? "participant" : staffRole(conference, visitor.userId);
  if (role !== "participant") {
    return { ...facts, role, reason: null };
  }
  const reason = refusalOf(password, conference, visitor);
  const mustWait = conference.isModerated && !visitor.isInReach;
  return { ...facts, role: reason === null ? (mustWait ? "waiting" : role) : null, reason };
}

/** The role of a user of the enterprise. */
export function staffRole({ organizer, moderator }: Conference, userId: number): StaffRole {
  if (organizer.id === userId) {
    return "organizer";
  }
  return moderator.id === userId ? "moderator" : "participant";
}

function refusalOf(
  password: ConferencePassword,
  { isLocked }: Conference,
  visitor: Visitor,
): Access["reason"] {
  if (isLocked) {
    return "locked";
  }
  return visitor.isInReach ? null : passwordRefusal(password, visitor.password);
}

/** Like `requireFound`, and 403 if it is out of reach. */
export function requireReach(found: FoundConference | undefined, id: number): Conference {
  const { conference, isInReach } = requireFound(found, id);
  if (!isInReach) {
    throw problem("forbidden", `Conference ${id} belongs to another user.`);
  }
  return conference;
}

/** 404 if the enterprise has no such conference. */
function requireFound<T>(found: T | undefined, id: number): T {
  if (found === undefined) {
    throw problem("not_found", `Conference ${id} was not found.`);
  }
  return found;
}

function requireEntry(conference: Conference, access: Access): RoomRole {
  requireNotOver(conference);
  if (access.reason === "locked") {
    throw problem("gone", "The conference is locked. Ask the moderator to let you in.", {
      details: "Reason locked",
    });
  }
  if (access.reason === "undecryptable") {
    const detail =
      "The password of the conference cannot be decrypted. The organizer must set a new one.";
    throw problem("forbidden", detail, { details: "Reason undecryptable" });
  }
  if (access.role === null) {
    throw problem("forbidden", "The password of the conference is missing or wrong.", {
      details: "Parameter password",
    });
  }
  return access.role;
}

/** 410 if the conference is over. */
function requireNotOver({ status }: Pick<Conference, "status">): void {
  if (isOver(status)) {
    throw problem("gone", `The conference is ${status}.`, { details: `Reason ${status}` });
  }
}

/** Trims, truncates and removes control characters. */
function cleanName(name: string | undefined): string {
  return truncate((name ?? "").replaceAll(/\p{Cc}/gu, "").trim(), maxNameLength).trim();
}

/** The target status of the action; a conflict that names both statuses if it is not allowed. */
export function requireTransition(
  { status }: Pick<Conference, "status">,
  action: ConferenceAction,
): ConferenceStatus {
  const { isAllowed, to } = transition(status, action);
  if (!isAllowed) {
    throw problem("conflict", `The conference is ${status}: this is not possible.`, {
      details: `Transition ${status} → ${to}`,
    });
  }
  return to;
}
