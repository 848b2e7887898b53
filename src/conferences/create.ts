import { findTimeZone } from "../access/reach.ts";
import type { ConferenceService } from "../contracts/directory.ts";
import type { UnsendableRule } from "../contracts/invitations.ts";
import type { Scope } from "../contracts/permissions.ts";
import { checkAll, makeAndCheck, invalidParameter } from "../contracts/problems.ts";
import type { Trx, Queryable } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type {
  Conference,
  ConferenceCaller,
  ConferenceDeps,
  CreateConferenceBody,
} from "./model.ts";
import { addGuests } from "./guest-store.ts";
import {
  parseNewConference,
  type NewConferenceInput,
  defaultName,
  parseParticipants,
} from "./input.ts";
import { issueLinkToken, sealPassword } from "./credentials.ts";
import { createNotices } from "./notices.ts";
import { insertConference, findConferenceById, type NewConference } from "./store.ts";
import { createConferenceTimers } from "./lifecycle.ts";
import { printable } from "../http/input.ts";

type CreatedConference = Readonly<{ conference: Conference; ssoToken?: string }>;

type CreateConferenceOrder<T> = Readonly<{
  scope: ConferenceCaller;
  body: CreateConferenceBody;
  /** Runs at the start of the transaction, before any write. */
  before?: (trx: Trx) => Promise<void>;
  /** Runs at the end of the transaction and builds the result. */
  after: (trx: Trx, made: CreatedConference) => Promise<T>;
}>;

export type CreateConference = <T>(order: CreateConferenceOrder<T>) => Promise<T>;

/** Creates a conference in the caller's transaction. */
export type CreateWithinTransaction = (
  trx: Trx,
  caller: ConferenceCaller,
  wish: NewConferenceInput,
) => Promise<Conference>;

export type CheckNewConference = (
  caller: ConferenceCaller,
  body: Partial<CreateConferenceBody>,
) => Promise<unknown>;

type NamedUsers = Readonly<{ organizer?: string | undefined; moderator?: string | undefined }>;

type ConferenceUserIds = { organizer?: number; moderator?: number };

type ConferenceReferences = NamedUsers & Readonly<{ serviceKey?: string | undefined }>;

export type ConferenceParties = Readonly<{
  service: ConferenceService;
  organizerId: number;
  moderatorId: number | null;
  name: string;
}>;

/** With 10^9 codes, this many collisions in a row mean that something is broken. */
const maxCodeAttempts = 20;

export function createWithinTransaction(
  deps: ConferenceDeps,
  rule: UnsendableRule,
): CreateWithinTransaction {
  const { clock, ids, conversations, secretBox } = deps;
  const timers = createConferenceTimers(deps);
  const notices = createNotices(deps);

  const insert = async (trx: Trx, conference: NewConference): Promise<number> => {
    for (let tries = 0; tries < maxCodeAttempts; tries += 1) {
      const id = await insertConference(trx, conference, ids.digits(9));
      if (id !== undefined) {
        return id;
      }
    }
    throw new Error("No free dial-in code was found");
  };

  const write = async (
    trx: Trx,
    { enterpriseId, userId }: ConferenceCaller,
    { wish, parties }: { wish: NewConferenceInput; parties: ConferenceParties },
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
    const conference = await findConferenceById(trx, { enterpriseId, id });
    if (conference === undefined) {
      throw new Error("The conference was not inserted");
    }
    return conference;
  };

  return async (trx, caller, wish) => {
    const parties = await resolveParties(deps, trx, caller, wish);
    const conference = await write(trx, caller, { wish, parties });
    await timers.schedule(trx, conference);
    if (wish.isInvited) {
      const { userId } = caller;
      const at = conference.createdAt;
      await notices.invite(trx, { conference, userId, at, isWanted: () => true, rule });
    }
    return conference;
  };
}

async function resolveParties(
  deps: ConferenceDeps,
  db: Queryable,
  caller: ConferenceCaller,
  wish: NewConferenceInput,
): Promise<ConferenceParties> {
  const { service, users } = await requireReferences(deps, db, caller, wish);
  if (service === undefined) {
    throw new Error("A conference needs a service");
  }
  const { organizer = caller.userId, moderator = null } = users;
  const { name } = wish;
  return {
    service,
    organizerId: organizer,
    moderatorId: moderator,
    name:
      name ?? defaultName(wish.startTime, (await findTimeZone(db, caller.enterpriseId)) ?? "UTC"),
  };
}

/** One transaction: conversation, conference, guests, timers, invitations. */
export function createConferenceCreator(
  deps: ConferenceDeps,
  make: CreateWithinTransaction,
): CreateConference {
  const { db, clock, secretBox } = deps;
  const checkNew = createNewConferenceCheck(deps);
  return async ({ scope, body, before, after }) => {
    const wish = await makeAndCheck(
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

/** Validates a create beyond the schema: 400 with every invalid field. Creates nothing. */
export function createNewConferenceCheck(deps: ConferenceDeps): CheckNewConference {
  return (caller, body) =>
    checkAll(
      () => (body.participants === undefined ? undefined : parseParticipants(body.participants)),
      () => requireReferences(deps, deps.db, caller, { ...body, serviceKey: body.service_key }),
    );
}

/** Resolves the references of a create: service, organizer, moderator. */
async function requireReferences(
  deps: Pick<ConferenceDeps, "directory">,
  db: Queryable,
  caller: ConferenceCaller,
  named: ConferenceReferences,
): Promise<{ service: ConferenceService | undefined; users: ConferenceUserIds }> {
  const found: { service: ConferenceService | undefined; users: ConferenceUserIds } = {
    service: undefined,
    users: {},
  };
  await checkAll(
    async () => {
      found.service = await requireService(deps, db, caller, named);
    },
    async () => {
      found.users = await requireUsers(deps, db, caller, named);
    },
  );
  return found;
}

async function requireService(
  { directory }: Pick<ConferenceDeps, "directory">,
  db: Queryable,
  { enterpriseId }: Pick<Scope, "enterpriseId">,
  { serviceKey }: ConferenceReferences,
): Promise<ConferenceService> {
  const service = await directory.findServiceForConferences(db, enterpriseId, serviceKey);
  if (service === undefined) {
    const which = serviceKey === undefined ? "" : ` with the key ${printable(serviceKey)}`;
    const text = `The service_key field is invalid: there is no active service for conferences${which}.`;
    throw invalidParameter("service_key", "unknown", text);
  }
  return service;
}

/** The referenced users of the enterprise, by login. */
export async function requireUsers(
  { directory }: Pick<ConferenceDeps, "directory">,
  db: Queryable,
  { enterpriseId }: Pick<Scope, "enterpriseId">,
  named: NamedUsers,
): Promise<ConferenceUserIds> {
  const found: ConferenceUserIds = {};
  const find = (field: keyof ConferenceUserIds) => async (): Promise<void> => {
    const login = named[field];
    if (login === undefined || login === "") {
      return;
    }
    const user = await directory.findUserByLogin(db, enterpriseId, login);
    if (user === undefined) {
      const text = `The ${field} field is invalid: the enterprise has no active user with the login ${printable(login)}.`;
      throw invalidParameter(field, "unknown", text);
    }
    found[field] = user.id;
  };
  await checkAll(find("organizer"), find("moderator"));
  return found;
}
