import type { Scope } from "../contracts/permissions.ts";
import type { Page } from "../http/paging.ts";
import { createSearchedList, type SearchedList } from "../http/searched-list.ts";
import { createConferenceAccess, type ConferenceAccess } from "./access.ts";
import { checkAll } from "../contracts/problems.ts";
import { createApplyChange, createConferenceChanges, type ConferenceChanges } from "./change.ts";
import type { Conference } from "./conference.ts";
import {
  createConferenceCreator,
  createConferenceMaker,
  createNewConferenceCheck,
  type CheckNewConference,
  type CreateConference,
} from "./create.ts";
import { createApplyCancel, createConferenceEnds, type ConferenceEnds } from "./ends.ts";
import type { ConferenceFilter, ConferenceSort } from "./filter.ts";
import { listParticipants, type Participant } from "./guest-store.ts";
import { parseConferenceChange } from "./input.ts";
import { countConferences, listConferences } from "./list-store.ts";
import { requireUsers } from "./parties.ts";
import type { ConferenceDeps } from "./ports.ts";
import type { ChangeConferenceBody } from "./schema.ts";
import { requireReach } from "./reach.ts";
import { findByDtmf, findConference } from "./store.ts";

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
    list: SearchedList<ConferenceFilter, ConferenceSort, Conference>;
    participants(
      scope: Scope,
      id: number,
      page: Page,
    ): Promise<{ total: number; participants: Participant[] }>;
    /** The living conference that a caller dials into with these digits. */
    findByDialIn(enterpriseId: number, code: string): Promise<Conference | undefined>;
  };

export function createConferences(deps: ConferenceDeps): Conferences {
  const { db } = deps;
  const get = async (scope: Scope, id: number): Promise<Conference> =>
    requireReach(await findConference(db, scope, id), id);
  return {
    ...createConferenceChanges(deps, createApplyChange(deps)),
    ...createConferenceEnds(deps, createApplyCancel(deps)),
    ...createConferenceAccess(deps),
    create: createConferenceCreator(deps, createConferenceMaker(deps)),
    checkNew: createNewConferenceCheck(deps),
    checkChange: (caller, body) =>
      checkAll(
        () => parseConferenceChange(body, deps.clock.now()),
        () => requireUsers(deps, db, caller, body),
      ),
    get,
    list: createSearchedList(
      {
        list: (scope, filter, page) => listConferences(db, scope, filter, page),
        count: (scope, filter) => countConferences(db, scope, filter),
      },
      { perEnterprise: 2, inAll: 3 },
    ),
    participants: async (scope, id, page) => listParticipants(db, await get(scope, id), page),
    findByDialIn: (enterpriseId, code) => findByDtmf(db, enterpriseId, code),
  };
}
