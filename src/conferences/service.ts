import type { Scope } from "../contracts/permissions.ts";
import { type Page, createBoundedSearch, type BoundedSearch } from "../http/paging.ts";
import { createConferenceAccess, type ConferenceAccess, requireReach } from "./access.ts";
import { checkAll } from "../contracts/problems.ts";
import {
  createApplyChange,
  createConferenceChanges,
  type ConferenceChanges,
  createApplyCancel,
  createConferenceEnds,
  type ConferenceEnds,
} from "./change.ts";
import { type Conference, isOver } from "./model.ts";
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
} from "./list-store.ts";
import { listParticipants, type Participant } from "./guest-store.ts";
import { parseConferenceChange } from "./input.ts";
import type { ConferenceDeps } from "./ports.ts";
import type { ChangeConferenceBody } from "./schema.ts";
import { findByDtmf, findConference, findByCode } from "./store.ts";
import type { Db } from "../platform/db/pool.ts";
import { roomUrl } from "./present.ts";

export type Conferences = ConferenceChanges &
  ConferenceEnds &
  ConferenceAccess & {
    create: CreateConference;
    checkNew: CheckNewConference;
    /** The same of a change. */
    checkChange: (
      caller: Pick<Scope, "enterpriseId">,
      body: ChangeConferenceBody,
    ) => Promise<unknown>;
    /** 404 where the enterprise has none of that id, 403 where it is out of reach. */
    get(scope: Scope, id: number): Promise<Conference>;
    list: BoundedSearch<ConferenceFilter, ConferenceSort, Conference>;
    participants(
      scope: Scope,
      id: number,
      page: Page,
    ): Promise<{ total: number; participants: Participant[] }>;
    /** The living conference that a caller dials into with these digits. */
    findByDialIn(enterpriseId: number, code: string): Promise<Conference | undefined>;
  };

/** What a short link leads to. */
export type ShortLink =
  | Readonly<{ kind: "found"; url: string }>
  | Readonly<{ kind: "over" }>
  | Readonly<{ kind: "unknown" }>;

export type ConferenceLinks = {
  /** `query` is what stood behind the question mark; it is handed on. */
  findByShortCode(code: string, query: string): Promise<ShortLink>;
};

export function createConferences(deps: ConferenceDeps): Conferences {
  const { db } = deps;
  const get = async (scope: Scope, id: number): Promise<Conference> =>
    requireReach(await findConference(db, scope, id), id);
  return {
    ...createConferenceChanges(deps, createApplyChange(deps)),
    ...createConferenceEnds(deps, createApplyCancel(deps)),
    ...createConferenceAccess(deps),
    create: createConferenceCreator(deps, createWithinTransaction(deps)),
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
      if (isOver(conference.status)) {
        return { kind: "over" };
      }
      const url = roomUrl(conference, baseUrl);
      return { kind: "found", url: query === "" ? url : `${url}?${query}` };
    },
  };
}
