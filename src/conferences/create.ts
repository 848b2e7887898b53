import type { Scope } from "../contracts/permissions.ts";
import { checkAll, madeOrRefused } from "../contracts/problems.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import type { Conference } from "./conference.ts";
import { addGuests } from "./guest-store.ts";
import { parseNewConference, type Wish } from "./input.ts";
import { issueLinkToken } from "./link-tokens.ts";
import { createNotices } from "./notices.ts";
import { findParties, requireNamed, type Parties } from "./parties.ts";
import { parseParticipants } from "./participants.ts";
import { sealPassword } from "./password.ts";
import type { ConferenceDeps } from "./ports.ts";
import type { CreateConferenceBody } from "./schema.ts";
import { insertConference, readConference, type NewConference } from "./store.ts";
import { createTimers } from "./timers.ts";

type Caller = Pick<Scope, "enterpriseId" | "userId">;

type CreatedConference = Readonly<{ conference: Conference; ssoToken?: string }>;

type CreateOrder<T> = Readonly<{
  scope: Caller;
  body: CreateConferenceBody;
  /** Runs first in the transaction: nothing was written yet. */
  before?: (trx: Trx) => Promise<void>;
  /** Runs last in the transaction and makes what the use case returns. */
  after: (trx: Trx, made: CreatedConference) => Promise<T>;
}>;

export type CreateConference = <T>(order: CreateOrder<T>) => Promise<T>;

/** The same inside a transaction that somebody else has opened. */
export type MakeConference = (trx: Trx, caller: Caller, wish: Wish) => Promise<Conference>;

export type CheckNewConference = (
  caller: Caller,
  body: Partial<CreateConferenceBody>,
) => Promise<unknown>;

/** 10^9 codes: a taken one is rare, and so often in a row means that something is broken. */
const maxCodeTries = 20;

export function createConferenceMaker(deps: ConferenceDeps): MakeConference {
  const { clock, ids, conversations, secretBox } = deps;
  const timers = createTimers(deps);
  const notices = createNotices(deps);

  const insert = async (trx: Trx, conference: NewConference): Promise<number> => {
    for (let tries = 0; tries < maxCodeTries; tries += 1) {
      const id = await insertConference(trx, conference, ids.digits(9));
      if (id !== undefined) {
        return id;
      }
    }
    throw new Error("No free dial-in code was found");
  };

  const write = async (
    trx: Trx,
    { enterpriseId, userId }: Caller,
    { wish, parties }: { wish: Wish; parties: Parties },
  ): Promise<Conference> => {
    const at = clock.now();
    const { service, ...named } = parties;
    const roomName = `${ids.hex(16)}:${ids.hex(16)}`;
    const conversation = await conversations.create(trx, { enterpriseId, at, roomName });
    const id = await insert(trx, {
      ...named,
      enterpriseId,
      serviceId: service.id,
      conversationId: conversation.id,
      roomName,
      shortCode: ids.base62(12),
      createdBy: userId,
      externalKey: wish.externalKey,
      isModerated: wish.isModerated,
      isOpen: wish.isOpen,
      isLocked: false,
      language: wish.language,
      message: wish.message,
      passwordSealed:
        wish.password === null ? null : sealPassword(secretBox, roomName, wish.password),
      reminderMinutes:
        wish.reminderMinutes === undefined ? service.reminderMinutes : wish.reminderMinutes,
      startTime: wish.startTime,
      endTime: wish.endTime,
      at,
    });
    await addGuests(trx, { enterpriseId, id }, wish.participants, at);
    const conference = await readConference(trx, { enterpriseId, id });
    if (conference === undefined) {
      throw new Error("The conference was not inserted");
    }
    return conference;
  };

  return async (trx, caller, wish) => {
    const parties = await findParties(deps, trx, caller, wish);
    const conference = await write(trx, caller, { wish, parties });
    await timers.plan(trx, conference);
    if (wish.isInvited) {
      const { userId } = caller;
      const at = conference.createdAt;
      await notices.invite(trx, { conference, userId, at, isWanted: () => true });
    }
    return conference;
  };
}

/** One transaction: conversation, conference, guests, timers, invitations. */
export function createConferenceCreator(
  deps: ConferenceDeps,
  make: MakeConference,
): CreateConference {
  const { db, clock, secretBox } = deps;
  const checkNew = createNewConferenceCheck(deps);
  return async ({ scope, body, before, after }) => {
    const wish = await madeOrRefused(
      () => parseNewConference(body, clock.now()),
      () => checkNew(scope, body),
    );
    return inTransaction(db, async (trx) => {
      await before?.(trx);
      const conference = await make(trx, scope, wish);
      return after(trx, {
        conference,
        ...(wish.wantsSso ? { ssoToken: issueLinkToken(secretBox, conference) } : {}),
      });
    });
  };
}

/** 400 that names every field of a create that is at fault beyond the schema. Makes nothing. */
export function createNewConferenceCheck(deps: ConferenceDeps): CheckNewConference {
  return (caller, body) =>
    checkAll(
      () => (body.participants === undefined ? undefined : parseParticipants(body.participants)),
      () => requireNamed(deps, deps.db, caller, { ...body, serviceKey: body.service_key }),
    );
}
