import type { Scope } from "../contracts/permissions.ts";
import { problem, invalidParameter, missingParameter } from "../contracts/problems.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import { ok, route, type Answer, type ApiRequest, type Route } from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import type { MediaFilter, MediaPage } from "./store.ts";
import {
  type MediaParents,
  type MediaUrls,
  type ParentRef,
  presentConferenceMedia,
  presentMedia,
  presentTicketMedia,
} from "./model.ts";
import * as schema from "./schema.ts";
import type { MediaService } from "./service.ts";
import { parseBound, splitCommaList } from "../http/values.ts";
import type { MediaState } from "../contracts/events.ts";
import { defaultPage } from "../http/schema.ts";
import type { Rectangle } from "./ocr-engine.ts";
import type { MediaListQuery, ParentListQuery } from "./schema.ts";

export type MediaListRoutesDeps = Readonly<{
  media: Pick<MediaService, "list">;
  parents: MediaParents;
  urls: Pick<MediaUrls, "sign">;
}>;

const common = { limit: "api" } as const;

const ticketListDefaults = {
  ...common,
  method: "GET",
  summary: "List the files of a ticket",
  permission: "media.read",
  family: "solution",
  query: schema.parentListQuery,
  answer: { status: 200, schema: schema.ticketMediaListSchema },
} as const;

export function mediaListRoutes(deps: MediaListRoutesDeps): Route[] {
  return [
    listRoute(deps),
    ticketListRoute(deps),
    enterpriseTicketListRoute(deps),
    conferenceListRoute(deps),
  ];
}

function listRoute(deps: MediaListRoutesDeps): Route {
  return route<unknown, schema.MediaListQuery>({
    ...common,
    method: "GET",
    path: "/medias",
    operationId: "api.v3.medias.list",
    summary: "List files of tickets and conferences",
    permission: "media.read",
    family: "platform",
    query: schema.mediaListQuery,
    problems: ["not_found", "forbidden"],
    answer: { status: 200, schema: schema.mediaListSchema },
    handle: async (request) => {
      const scope = scopeOf(request);
      const filter = parseMediaFilter(request.query);
      const page = parseMediaPage(request.query);
      if (filter.parent !== undefined) {
        await requireParent(deps, scope, filter.parent);
      }
      const { total, media } = await deps.media.list(scope, filter, page);
      const data = media.map((one) => presentMedia(one, deps.urls));
      return ok({ total, data }, pageHeaders(request.url, page, total));
    },
  });
}

function parseMediaFilter(query: MediaListQuery): MediaFilter {
  return {
    parent: parseParent(query),
    states: parseStates(query.status),
    since: parseBound("since", query.since),
    until: parseBound("until", query.until),
  };
}

/** The given parent; undefined if there is none. */
export function parseParent(query: {
  ticketId?: number;
  conferenceId?: number;
}): ParentRef | undefined {
  const { ticketId, conferenceId } = query;
  if (ticketId !== undefined && conferenceId !== undefined) {
    throw invalidParameter("conferenceId", "both", "Give a ticketId or a conferenceId, not both.");
  }
  if (ticketId !== undefined) {
    return { name: "ticket", id: ticketId };
  }
  return conferenceId === undefined ? undefined : { name: "conference", id: conferenceId };
}

function ticketListRoute(deps: MediaListRoutesDeps): Route {
  return route<{ ticketId: number }, schema.ParentListQuery>({
    ...ticketListDefaults,
    path: "/tickets/{ticketId}/medias",
    operationId: "api.v3.tickets.medias",
    params: schema.ticketParams,
    handle: (request) => listOfTicket(deps, request),
  });
}

function enterpriseTicketListRoute(deps: MediaListRoutesDeps): Route {
  return route<{ enterpriseId: number; ticketId: number }, schema.ParentListQuery>({
    ...ticketListDefaults,
    path: "/enterprises/{enterpriseId}/tickets/{ticketId}/medias",
    operationId: "api.v3.enterprises.tickets.medias",
    params: schema.enterpriseTicketParams,
    handle: (request) => {
      const { enterpriseId } = request.params;
      if (enterpriseId !== request.caller.enterpriseId) {
        throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
      }
      return listOfTicket(deps, request);
    },
  });
}

/** Only complete files, unless the client requests other states: items do not show their state. */
async function listOfTicket(
  deps: MediaListRoutesDeps,
  request: ApiRequest<{ ticketId: number }, schema.ParentListQuery>,
): Promise<Answer> {
  const scope = scopeOf(request);
  const parent = { name: "ticket", id: request.params.ticketId } as const;
  const states = parseStates(request.query.status) ?? ["completed"];
  const page = parseMediaPage(request.query);
  await requireParent(deps, scope, parent);
  const { total, media } = await deps.media.list(scope, { parent, states }, page);
  const { limit, offset } = page;
  const medias = media.map((one) => presentTicketMedia(one, deps.urls));
  return ok({ limit, offset, medias, count: total }, pageHeaders(request.url, page, total));
}

function conferenceListRoute(deps: MediaListRoutesDeps): Route {
  return route<{ conferenceId: number }, schema.ParentListQuery>({
    ...common,
    method: "GET",
    path: "/conferences/{conferenceId}/media",
    operationId: "api.v3.conferences.media",
    summary: "List the files of a conference",
    permission: "media.read",
    family: "solution",
    params: schema.conferenceParams,
    query: schema.parentListQuery,
    answer: { status: 200, schema: schema.conferenceMediaListSchema },
    handle: async (request) => {
      const scope = scopeOf(request);
      const parent = { name: "conference", id: request.params.conferenceId } as const;
      const filter: MediaFilter = { parent, states: parseStates(request.query.status) };
      const page = parseMediaPage(request.query);
      await requireParent(deps, scope, parent);
      const { total, media } = await deps.media.list(scope, filter, page);
      const data = media.map((one) => presentConferenceMedia(one, deps.urls));
      return ok({ total, data }, pageHeaders(request.url, page, total));
    },
  });
}

/** A comma-separated list of states, validated by the schema; undefined if absent. */
function parseStates(status: string | undefined): MediaState[] | undefined {
  const words = splitCommaList(status ?? "");
  return words.length === 0 ? undefined : (words as MediaState[]);
}

/** Parses list parameters, or throws a 400 that names the field. Pure. */
function parseMediaPage(query: ParentListQuery): MediaPage {
  return {
    ...parsePage(query, defaultPage),
    orderby: query.orderby ?? "date",
    order: query.order ?? "desc",
  };
}

/** Throws 404 or 403 if the caller may not see that ticket or conference. */
export function requireParent(
  { parents }: Pick<MediaListRoutesDeps, "parents">,
  scope: Scope,
  parent: ParentRef,
) {
  return parent.name === "ticket"
    ? parents.requireTicket(scope, parent.id)
    : parents.requireConference(scope, parent.id);
}

const rectangleFields = ["left", "top", "width", "height"] as const;

/** All four values or none; none means the whole picture. */
export function parseRectangle(body: Partial<Rectangle>): Rectangle | undefined {
  const missing = rectangleFields.filter((side) => body[side] === undefined);
  const [first] = missing;
  if (first === undefined) {
    return body as Rectangle;
  }
  if (missing.length < rectangleFields.length) {
    throw missingParameter(
      first,
      "Give left, top, width and height together, or none of them for the whole picture.",
    );
  }
  return undefined;
}
