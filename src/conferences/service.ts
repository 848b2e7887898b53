import type { Scope } from "../contracts/permissions.ts";
import { type Page, createBoundedSearch, type BoundedSearch } from "../http/paging.ts";
import type { UnsendableRule } from "../contracts/invitations.ts";
import { createConferenceAccess, type ConferenceAccess, requireReach } from "./access.ts";
import { checkAll } from "../contracts/problems.ts";
import {
  createApplyChange,
  createConferenceChanges,
  type ConferenceChanges,
  createApplyCancel,
  createConferenceEnds,
  createConferenceLock,
  type ConferenceEnds,
  type ConferenceLock,
  type InvitationScope,
} from "./change.ts";
import {
  type ChangeConferenceBody,
  type Conference,
  type ConferenceCaller,
  type ConferenceDeps,
  isOver,
} from "./model.ts";
import {
  createConferenceCreator,
  createWithinTransaction,
  createNewConferenceCheck,
  type CheckNewConference,
  type CreateConference,
  requireUsers,
} from "./create.ts";
import {
  type ConferenceFilter,
  type ConferenceSort,
  countConferences,
  listConferences,
} from "./queries.ts";
import { listParticipants, type Participant } from "./guest-store.ts";
import { parseConferenceChange } from "./input.ts";
import {
  findByDtmf,
  findConference,
  findByCode,
  lockByExternalKey,
  findConferenceById,
} from "./store.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import { roomUrl, presentConference, ssoUrl } from "./present.ts";
import { findTimeZone } from "../access/reach.ts";
import type {
  AppointmentConference,
  AppointmentOrder,
  AppointmentConferences,
} from "../contracts/conferences.ts";
import { issueLinkToken } from "./credentials.ts";

export type Conferences = ConferenceChanges &
  ConferenceEnds &
  ConferenceLock &
  ConferenceAccess & {
    create: CreateConference;
    checkNew: CheckNewConference;
    /** Validates a change beyond the schema, like `checkNew`. */
    checkChange: (
      caller: Pick<Scope, "enterpriseId">,
      body: ChangeConferenceBody,
    ) => Promise<unknown>;
    /** 404 if the enterprise has no such conference, 403 if it is out of reach. */
    get(scope: Scope, id: number): Promise<Conference>;
    list: BoundedSearch<ConferenceFilter, ConferenceSort, Conference>;
    participants(
      scope: Scope,
      id: number,
      page: Page,
    ): Promise<{ total: number; participants: Participant[] }>;
    /** The active conference with this dial-in code. */
    findByDialIn(enterpriseId: number, code: string): Promise<Conference | undefined>;
  };

/** The target of a short link. */
export type ShortLink =
  | Readonly<{ kind: "found"; url: string }>
  | Readonly<{ kind: "ended" | "cancelled" }>
  | Readonly<{ kind: "unknown" }>;

export type ConferenceLinks = {
  /** `query` is the query string of the short link; it is passed on. */
  findByShortCode(code: string, query: string): Promise<ShortLink>;
};

/** The API refuses a call whose invitations cannot be sent. */
const refuseUnsendable: UnsendableRule = { unsendable: "refuse" };

export function createConferences(deps: ConferenceDeps): Conferences {
  const { db } = deps;
  const get = async (scope: Scope, id: number): Promise<Conference> =>
    requireReach(await findConference(db, scope, id), id);
  return {
    ...createConferenceChanges(deps, createApplyChange(deps, refuseUnsendable)),
    ...createConferenceEnds(deps, createApplyCancel(deps)),
    ...createConferenceLock(deps),
    ...createConferenceAccess(deps),
    create: createConferenceCreator(deps, createWithinTransaction(deps, refuseUnsendable)),
    checkNew: createNewConferenceCheck(deps),
    checkChange: (caller, body) =>
      checkAll(
        () => parseConferenceChange(body, deps.clock.now()),
        () => requireUsers(deps, db, caller, body),
      ),
    get,
    list: createBoundedSearch(
      {
        list: (scope, filter, page) => listConferences(db, scope, filter, page),
        count: (scope, filter) => countConferences(db, scope, filter),
      },
      { perTenant: 2, total: 3 },
    ),
    participants: async (scope, id, page) => listParticipants(db, await get(scope, id), page),
    findByDialIn: (enterpriseId, code) => findByDtmf(db, enterpriseId, code),
  };
}

const codePattern = /^[0-9A-Za-z]{12}$/u;

export function createConferenceLinks({
  db,
  baseUrl,
}: Readonly<{ db: Db; baseUrl: string }>): ConferenceLinks {
  return {
    findByShortCode: async (code, query) => {
      const conference = codePattern.test(code) ? await findByCode(db, code) : undefined;
      if (conference === undefined) {
        return { kind: "unknown" };
      }
      const { status } = conference;
      if (isOver(status)) {
        return { kind: status };
      }
      const url = roomUrl(conference, baseUrl);
      return { kind: "found", url: query === "" ? url : `${url}?${query}` };
    },
  };
}

/**
 * The other system cannot choose other recipients: an opt-out or a used-up SMS quota must not lose
 * an appointment or its new time.
 */
const failUnsendable: UnsendableRule = { unsendable: "fail" };

/**
 * Conferences of appointments in an external system. Every call runs in the caller's transaction.
 */
export function createExternalConferences(deps: ConferenceDeps): AppointmentConferences<Trx> {
  const make = createWithinTransaction(deps, failUnsendable);
  const applyChange = createApplyChange(deps, failUnsendable);
  const applyCancel = createApplyCancel(deps);
  const { baseUrl, secretBox } = deps;
  const present = createPresenter(baseUrl);

  const lock = async (
    trx: Trx,
    { caller, externalKey }: Readonly<{ caller: ConferenceCaller; externalKey: string }>,
  ): Promise<Conference> => {
    const { enterpriseId } = caller;
    const found = await lockByExternalKey(trx, { enterpriseId, externalKey });
    if (found === undefined) {
      throw new Error("The appointment has no conference");
    }
    return found;
  };

  return {
    find: async (trx, appointment) => {
      const found = await lockByExternalKey(trx, appointment);
      return found && present(found, undefined);
    },
    create: async (trx, { caller, clinician, ...order }) => {
      const made = await make(trx, caller, {
        ...order,
        organizer: clinician,
        moderator: clinician,
        isModerated: true,
        isOpen: false,
        wantsSso: false,
        language: null,
        message: null,
        password: null,
        reminderMinutes: undefined,
      });
      return present(made, issueLinkToken(secretBox, made));
    },
    change: async (trx, order) => {
      const current = await lock(trx, order);
      const { caller, clinician, startTime, endTime, participants } = order;
      const after = await applyChange(trx, current, {
        caller,
        wish: {
          fields: { startTime, endTime },
          ...(clinician === undefined ? {} : { organizer: clinician, moderator: clinician }),
          ...(participants.length === 0 ? {} : { participants }),
        },
        invitationScope: invitationScopeOf(current, order),
      });
      return present(after, issueLinkToken(secretBox, after));
    },
    cancel: async (trx, order) =>
      present(await applyCancel(trx, await lock(trx, order), order.caller), undefined),
    timeZoneOf: async (trx, enterpriseId) => (await findTimeZone(trx, enterpriseId)) ?? "UTC",
    show: async (trx, ref) => {
      const conference = await findConferenceById(trx, ref);
      return conference && presentConference(conference, baseUrl);
    },
  };
}

function createPresenter(baseUrl: string) {
  return (conference: Conference, ssoToken: string | undefined): AppointmentConference => ({
    id: conference.id,
    status: conference.status,
    startTime: conference.startTime,
    endTime: conference.endTime,
    guestUrl: roomUrl(conference, baseUrl),
    moderatorUrl:
      ssoToken === undefined ? roomUrl(conference, baseUrl) : ssoUrl(conference, baseUrl, ssoToken),
    dtmfCode: conference.sipDtmfCode,
  });
}

function invitationScopeOf(current: Conference, order: AppointmentOrder): InvitationScope {
  if (!order.isInvited) {
    return "nobody";
  }
  return isMoved(current, order) ? "everybody" : "uninvited";
}

function isMoved(current: Conference, { startTime, endTime }: AppointmentOrder): boolean {
  return (
    current.startTime.getTime() !== startTime.getTime() ||
    current.endTime.getTime() !== endTime.getTime()
  );
}
