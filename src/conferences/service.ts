import { createTurnstile } from "../http/turnstile.ts";
import { createConferenceAccess, type ConferenceAccess } from "./access.ts";
import { createApplyChange, createConferenceChanges, type ConferenceChanges } from "./change.ts";
import type { Conference, Scope } from "./conference.ts";
import { createConferenceCreator, createConferenceMaker, type CreateConference } from "./create.ts";
import { createApplyCancel, createConferenceEnds, type ConferenceEnds } from "./ends.ts";
import type { ConferenceFilter, ConferenceSort } from "./filter.ts";
import { listParticipants, type Participant } from "./guest-store.ts";
import { countConferences, listConferences } from "./list-store.ts";
import type { ConferenceDeps } from "./ports.ts";
import { requireReach } from "./reach.ts";
import { findByDtmf, findConference } from "./store.ts";

type Page = Readonly<{ limit: number; offset: number }>;

export type Conferences = ConferenceChanges &
  ConferenceEnds &
  ConferenceAccess & {
    create: CreateConference;
    /** 404 where the enterprise has none of that id, 403 where it is out of reach. */
    get(scope: Scope, id: number): Promise<Conference>;
    /**
     * One page of the conferences within reach that match, and how many match in all. Throws
     * `rate_limited` where too many searches are under way.
     */
    list(
      scope: Scope,
      filter: ConferenceFilter,
      page: ConferenceSort & Page,
    ): Promise<{ total: number; conferences: Conference[] }>;
    participants(
      scope: Scope,
      id: number,
      page: Page,
    ): Promise<{ total: number; participants: Participant[] }>;
    /** The living conference that a caller dials into with these digits. */
    findByDialIn(enterpriseId: number, code: string): Promise<Conference | undefined>;
  };

const createList = ({ db }: ConferenceDeps): Conferences["list"] => {
  // A search reads many rows: a few at once must not leave the others without a connection.
  const ask = createTurnstile(
    { perEnterprise: 2, inAll: 3 },
    "Too many searches at once. Wait for the answer to one.",
  );
  const look: Conferences["list"] = async (scope, filter, page) => ({
    total: await countConferences(db, scope, filter),
    conferences: await listConferences(db, scope, filter, page),
  });
  return (scope, filter, page) =>
    filter.search === undefined
      ? look(scope, filter, page)
      : ask(scope.enterpriseId, () => look(scope, filter, page));
};

export const createConferences = (deps: ConferenceDeps): Conferences => {
  const { db } = deps;
  const get = async (scope: Scope, id: number): Promise<Conference> =>
    requireReach(await findConference(db, scope, id), id);
  return {
    ...createConferenceChanges(deps, createApplyChange(deps)),
    ...createConferenceEnds(deps, createApplyCancel(deps)),
    ...createConferenceAccess(deps),
    create: createConferenceCreator(deps, createConferenceMaker(deps)),
    get,
    list: createList(deps),
    participants: async (scope, id, page) => listParticipants(db, await get(scope, id), page),
    findByDialIn: (enterpriseId, code) => findByDtmf(db, enterpriseId, code),
  };
};
