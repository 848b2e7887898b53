import { pageHeaders, parsePage } from "../http/paging.ts";
import { created, noContent, ok, route, type Answer, type Route } from "../http/route.ts";
import type { PageQuery } from "../http/schema.ts";
import { scopeOf } from "../http/authorize.ts";
import {
  conferenceAnswer,
  conferenceListAnswer,
  createdConferenceAnswer,
  invitationListAnswer,
  participantListAnswer,
  presentConference,
  presentInvitations,
  presentParticipant,
} from "./present.ts";
import {
  listConferencesSchema,
  parseConferenceFilter,
  parseConferenceSort,
  type ListConferencesQuery,
} from "./queries.ts";
import {
  changeConferenceSchema,
  conferenceParams,
  createConferenceSchema,
  inviteSchema,
  pageSchema,
  type ChangeConferenceBody,
  type ConferenceParams,
  type CreateConferenceBody,
  type InviteBody,
} from "./model.ts";
import type { Conferences } from "./service.ts";

export type ConferenceRoutesDeps = Readonly<{
  conferences: Conferences;
  /** Public address without a trailing slash. */
  baseUrl: string;
}>;

const pageRule = { defaultLimit: 10, maxLimit: 100 };

const common = { family: "solution", limit: "api" } as const;

export function conferenceRoutes(deps: ConferenceRoutesDeps): Route[] {
  return [
    createRoute(deps),
    listRoute(deps),
    getRoute(deps),
    changeRoute(deps),
    cancelRoute(deps),
    endRoute(deps),
    inviteRoute(deps),
    participantsRoute(deps),
  ];
}

function createRoute({ conferences, baseUrl }: ConferenceRoutesDeps): Route {
  return route<unknown, unknown, CreateConferenceBody>({
    ...common,
    method: "POST",
    path: "/conferences",
    operationId: "api.v3.conferences.create",
    summary: "Create a conference",
    permission: "conferences.write",
    body: createConferenceSchema,
    transport: "any",
    isIdempotent: true,
    answer: { status: 201, schema: createdConferenceAnswer },
    problems: ["quota_reached"],
    alsoCheck: (request) => conferences.checkNew(request.caller, request.body),
    handle: (request) =>
      conferences.create<Answer>({
        scope: request.caller,
        body: request.body,
        before: async (trx) => request.idempotency?.begin(trx),
        after: async (trx, { conference, ssoToken }) => {
          const body = presentConference(conference, baseUrl, ssoToken);
          const answer = created(body, `/api/conferences/${conference.id}`);
          await request.idempotency?.finish(trx, answer);
          return answer;
        },
      }),
  });
}

function listRoute({ conferences, baseUrl }: ConferenceRoutesDeps): Route {
  return route<unknown, ListConferencesQuery>({
    ...common,
    method: "GET",
    path: "/conferences",
    operationId: "api.v3.conferences.list",
    summary: "Find conferences",
    permission: "conferences.read",
    query: listConferencesSchema,
    answer: { status: 200, schema: conferenceListAnswer },
    handle: async (request) => {
      const page = parsePage(request.query, pageRule);
      const { total, items } = await conferences.list(
        scopeOf(request),
        parseConferenceFilter(request.query),
        { ...parseConferenceSort(request.query), ...page },
      );
      const data = items.map((conference) => presentConference(conference, baseUrl));
      return ok({ total, data }, pageHeaders(request.url, page, total));
    },
  });
}

function getRoute({ conferences, baseUrl }: ConferenceRoutesDeps): Route {
  return route<ConferenceParams>({
    ...common,
    method: "GET",
    path: "/conferences/{conferenceId}",
    operationId: "api.v3.conferences.get",
    summary: "Read a conference",
    permission: "conferences.read",
    params: conferenceParams,
    answer: { status: 200, schema: conferenceAnswer },
    handle: async (request) => {
      const conference = await conferences.get(scopeOf(request), request.params.conferenceId);
      return ok(presentConference(conference, baseUrl));
    },
  });
}

function changeRoute({ conferences, baseUrl }: ConferenceRoutesDeps): Route {
  return route<ConferenceParams, unknown, ChangeConferenceBody>({
    ...common,
    method: "PATCH",
    path: "/conferences/{conferenceId}",
    operationId: "api.v3.conferences.update",
    summary: "Change fields of a conference",
    permission: "conferences.write",
    params: conferenceParams,
    body: changeConferenceSchema,
    answer: { status: 200, schema: conferenceAnswer },
    problems: ["quota_reached"],
    alsoCheck: (request) => conferences.checkChange(request.caller, request.body),
    handle: async (request) => {
      const { conferenceId } = request.params;
      const conference = await conferences.change(scopeOf(request), conferenceId, request.body);
      return ok(presentConference(conference, baseUrl));
    },
  });
}

function cancelRoute({ conferences }: ConferenceRoutesDeps): Route {
  return route<ConferenceParams>({
    ...common,
    method: "DELETE",
    path: "/conferences/{conferenceId}",
    operationId: "api.v3.conferences.delete",
    summary: "Cancel a conference and notify the invited guests",
    permission: "conferences.write",
    params: conferenceParams,
    answer: { status: 204 },
    problems: ["conflict"],
    handle: async (request) => {
      await conferences.cancel(scopeOf(request), request.params.conferenceId);
      return noContent;
    },
  });
}

function endRoute({ conferences, baseUrl }: ConferenceRoutesDeps): Route {
  return route<ConferenceParams>({
    ...common,
    method: "POST",
    path: "/conferences/{conferenceId}/end",
    operationId: "api.v3.conferences.end",
    summary: "End a running conference for everyone",
    permission: "conferences.write",
    params: conferenceParams,
    answer: { status: 200, schema: conferenceAnswer },
    problems: ["conflict"],
    handle: async (request) => {
      const conference = await conferences.end(scopeOf(request), request.params.conferenceId);
      return ok(presentConference(conference, baseUrl));
    },
  });
}

function inviteRoute({ conferences }: ConferenceRoutesDeps): Route {
  return route<ConferenceParams, unknown, InviteBody>({
    ...common,
    method: "POST",
    path: "/conferences/{conferenceId}/invitations",
    operationId: "api.v3.conferences.invite",
    summary: "Invite the named guests to a conference, or all guests again",
    permission: "conferences.write",
    params: conferenceParams,
    body: inviteSchema,
    transport: "any",
    answer: { status: 200, schema: invitationListAnswer },
    problems: ["quota_reached"],
    handle: async (request) => {
      const { conferenceId } = request.params;
      const sent = await conferences.invite(scopeOf(request), conferenceId, request.body);
      return ok(presentInvitations(sent));
    },
  });
}

function participantsRoute({ conferences }: ConferenceRoutesDeps): Route {
  return route<ConferenceParams, PageQuery>({
    ...common,
    method: "GET",
    path: "/conferences/{conferenceId}/participants",
    operationId: "api.v3.conferences.participants",
    summary: "List the invited guests and the participants of a conference",
    permission: "conferences.read",
    params: conferenceParams,
    query: pageSchema,
    answer: { status: 200, schema: participantListAnswer },
    handle: async (request) => {
      const page = parsePage(request.query, pageRule);
      const { conferenceId } = request.params;
      const found = await conferences.participants(scopeOf(request), conferenceId, page);
      const data = found.participants.map(presentParticipant);
      return ok({ total: found.total, data }, pageHeaders(request.url, page, found.total));
    },
  });
}
