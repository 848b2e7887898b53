/** Customer routes of a ticket: links are public, the rest needs a room token. */
import { problem } from "../contracts/problems.ts";
import type { IceSettings } from "../contracts/room-messages.ts";
import {
  guestRoute,
  noContent,
  ok,
  publicRoute,
  route,
  type GuestRequest,
  type GuestRoute,
  type PublicRoute,
  type Route,
} from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import type { GuestLinks } from "./links.ts";
import {
  presentConsent,
  presentIce,
  presentLink,
  presentPosition,
  presentPositionRequest,
  presentRoomToken,
  presentSurvey,
  presentVisit,
} from "./present.ts";
import type { FoundPosition } from "./positions.ts";
import * as schema from "./schema.ts";
import type { Guests, ClientInfo } from "./service.ts";

export type GuestRoutesDeps = Readonly<{
  links: GuestLinks;
  guests: Guests;
  /** STUN and TURN servers for one participant. */
  iceFor(participant: string): IceSettings;
  /** Public address without a trailing slash. */
  baseUrl: string;
}>;

const customerRoute = {
  roles: ["requestor"],
  limit: "room",
  problems: ["gone", "conflict"],
} as const;

const agentRoute = {
  family: "solution",
  limit: "api",
  permission: "tickets.write",
  method: "POST",
  params: schema.ticketParams,
  problems: ["conflict"],
} as const;

/** Operations of the agent in the same room. */
export function guestStaffRoutes({ links, guests }: GuestRoutesDeps): Route[] {
  return [
    route<{ ticketId: number }>({
      ...agentRoute,
      path: "/tickets/{ticketId}/room-token",
      operationId: "api.v3.tickets.roomToken",
      summary: "Issue a room token for the ticket's agent",
      answer: { status: 200, schema: schema.roomTokenAnswer },
      handle: async (request) =>
        ok(presentRoomToken(await links.enterAsAgent(scopeOf(request), request.params.ticketId))),
    }),
    route<{ ticketId: number }>({
      ...agentRoute,
      path: "/tickets/{ticketId}/position-requests",
      operationId: "api.v3.tickets.askPosition",
      summary: "Ask the customer for their position",
      answer: { status: 200, schema: schema.positionRequestAnswer },
      handle: async (request) => {
        const asked = await guests.askPosition(scopeOf(request), request.params.ticketId);
        return ok(presentPositionRequest(asked));
      },
    }),
    route<{ ticketId: number }>({
      ...agentRoute,
      method: "GET",
      permission: "tickets.read",
      problems: [],
      path: "/tickets/{ticketId}/position",
      operationId: "api.v3.tickets.position",
      summary: "Read the last position of the customer, with its accuracy",
      answer: { status: 200, schema: schema.positionAnswer },
      handle: async (request) => {
        const found = await guests.findPosition(scopeOf(request), request.params.ticketId);
        return ok(presentPosition(found));
      },
    }),
  ];
}

/** All operations of customers. */
export function guestRoutes(deps: GuestRoutesDeps): (PublicRoute | GuestRoute)[] {
  return [...linkRoutes(deps), ...stepRoutes(deps), ...answerRoutes(deps), ...surveyRoutes(deps)];
}

function linkRoutes({ links, baseUrl }: GuestRoutesDeps): PublicRoute[] {
  return [
    publicRoute<unknown, { secret: string }>({
      limit: "guest",
      method: "GET",
      path: "/guest/tickets/{secret}",
      operationId: "api.v3.guest.link",
      summary: "Read what the customer's link refers to",
      params: schema.secretParams,
      answer: { status: 200, schema: schema.linkAnswer },
      problems: ["gone"],
      handle: async ({ params }) => ok(presentLink(await links.open(params), baseUrl)),
    }),
    publicRoute<unknown, { code: string }>({
      limit: "guest",
      method: "GET",
      path: "/guest/information/{code}",
      operationId: "api.v3.guest.information",
      summary: "Read what the short information link refers to",
      params: schema.codeParams,
      answer: { status: 200, schema: schema.linkAnswer },
      problems: ["gone"],
      handle: async ({ params }) =>
        ok(presentLink(await links.open({ informationCode: params.code }), baseUrl)),
    }),
    publicRoute<unknown, { secret: string }>({
      limit: "guest",
      method: "POST",
      path: "/guest/tickets/{secret}/token",
      operationId: "api.v3.guest.token",
      summary: "Start a visit: issue a room token for the customer",
      params: schema.secretParams,
      answer: { status: 200, schema: schema.roomTokenAnswer },
      problems: ["gone"],
      handle: async ({ params }) => ok(presentRoomToken(await links.enter(params.secret))),
    }),
  ];
}

function stepRoutes({ guests, iceFor }: GuestRoutesDeps): GuestRoute[] {
  return [
    guestRoute({
      ...customerRoute,
      method: "GET",
      path: "/guest/ice",
      operationId: "api.v3.guest.ice",
      summary: "Read the STUN and TURN servers, to check the network before the call",
      answer: { status: 200, schema: schema.iceAnswer },
      handle: async ({ guest }) => {
        await guests.requireConsent(guest);
        return ok(presentIce(iceFor(guest.participant)));
      },
    }),
    guestRoute({
      ...customerRoute,
      method: "GET",
      path: "/guest/visit",
      operationId: "api.v3.guest.visit",
      summary: "Read the progress of this visit",
      answer: { status: 200, schema: schema.visitAnswer },
      handle: async ({ guest }) => ok(presentVisit(await guests.visit(guest))),
    }),
    guestRoute<unknown, unknown, schema.ClickBody>({
      ...customerRoute,
      method: "POST",
      path: "/guest/click",
      operationId: "api.v3.guest.click",
      summary: "Report that a person opened the page",
      body: schema.clickSchema,
      answer: { status: 204 },
      handle: async (request) => {
        await guests.click(request.guest, request.body.invitation, clientInfoOf(request));
        return noContent;
      },
    }),
    guestRoute({
      ...customerRoute,
      method: "POST",
      path: "/guest/decline",
      operationId: "api.v3.guest.decline",
      summary: "Decline the invitation",
      answer: { status: 204 },
      handle: async ({ guest }) => {
        await guests.decline(guest);
        return noContent;
      },
    }),
    guestRoute<unknown, unknown, schema.ConsentBody>({
      ...customerRoute,
      method: "POST",
      path: "/guest/consent",
      operationId: "api.v3.guest.consent",
      summary: "Accept the terms and the privacy notice",
      body: schema.consentSchema,
      answer: { status: 200, schema: schema.consentAnswer },
      handle: async (request) => {
        const { guest, body } = request;
        return ok(presentConsent(await guests.consent(guest, body, clientInfoOf(request))));
      },
    }),
  ];
}

function clientInfoOf({ clientNetwork, header }: GuestRequest): ClientInfo {
  return {
    clientNetwork,
    userAgent: (header("user-agent") ?? "").slice(0, 512),
  };
}

function foundPositionOf({ geoloc }: schema.PositionBody): FoundPosition | undefined {
  return geoloc === null
    ? undefined
    : { geoloc: { lat: geoloc.lat, lng: geoloc.lng }, accuracy: geoloc.accuracy };
}

function answerRoutes({ guests }: GuestRoutesDeps): GuestRoute[] {
  return [
    guestRoute<{ requestId: string }, unknown, schema.PositionBody>({
      ...customerRoute,
      method: "POST",
      path: "/guest/position-requests/{requestId}/answer",
      operationId: "api.v3.guest.position",
      summary: "Send a position, or decline",
      params: schema.positionParams,
      body: schema.positionSchema,
      answer: { status: 204 },
      handle: async ({ guest, params, body }) => {
        await guests.answerPosition(guest, params.requestId, foundPositionOf(body));
        return noContent;
      },
    }),
    guestRoute<unknown, unknown, schema.DevicesBody>({
      ...customerRoute,
      method: "POST",
      path: "/guest/devices",
      operationId: "api.v3.guest.devices",
      summary: "Report the permissions for camera and microphone",
      body: schema.devicesSchema,
      answer: { status: 204 },
      handle: async ({ guest, body }) => {
        await guests.answerDevices(guest, body);
        return noContent;
      },
    }),
    guestRoute({
      ...customerRoute,
      method: "POST",
      path: "/guest/accept",
      operationId: "api.v3.guest.accept",
      summary: "Enter the room, after consent and device check",
      answer: { status: 204 },
      handle: async ({ guest }) => {
        await guests.accept(guest);
        return noContent;
      },
    }),
  ];
}

function surveyRoutes({ guests }: GuestRoutesDeps): GuestRoute[] {
  return [
    guestRoute({
      ...customerRoute,
      method: "GET",
      path: "/guest/survey",
      operationId: "api.v3.guest.survey",
      summary: "Read the survey of the ended session",
      answer: { status: 200, schema: schema.surveyAnswer },
      problems: ["gone", "not_found"],
      handle: async ({ guest }) => {
        const due = await guests.findSurvey(guest);
        if (due === undefined) {
          throw problem("not_found", "There is no open survey.");
        }
        return ok(presentSurvey(due));
      },
    }),
    guestRoute<unknown, unknown, schema.SurveyBody>({
      ...customerRoute,
      method: "POST",
      path: "/guest/survey",
      operationId: "api.v3.guest.answerSurvey",
      summary: "Answer the survey, once per session",
      body: schema.surveySchema,
      answer: { status: 204 },
      handle: async ({ guest, body }) => {
        await guests.answerSurvey(guest, body);
        return noContent;
      },
    }),
  ];
}
