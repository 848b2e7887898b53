/** Experts of a ticket: operations of its agent, and the public one of their link. */
import { fieldProblem } from "../../contracts/problems.ts";
import { languages } from "../../contracts/languages.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { parseEmail, parsePhone } from "../../platform/contact.ts";
import { created, ok, publicRoute, route, type PublicRoute, type Route } from "../../http/route.ts";
import {
  emailField,
  exactObject,
  listOf,
  nameLine,
  nullableText,
  phoneField,
  text,
  timestamp,
  type BodyOf,
} from "../../http/schema.ts";
import { scopeOf } from "../../http/authorize.ts";
import type { JsonSchema } from "../../http/route.ts";
import { presentRoomToken } from "../present.ts";
import { roomTokenAnswer, secretParams, ticketParams } from "../schema.ts";
import type { ExpertOrder } from "./invite.ts";
import { expertTokenSeconds, type Experts } from "./service.ts";
import { expertId } from "../../contracts/rooms.ts";
import type { ExpertInvitation } from "./store.ts";

const name = { type: "string", maxLength: 64, ...nameLine } as const;

const inviteSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    user_id: { type: "integer", minimum: 1, description: "A colleague from the directory" },
    email: emailField,
    phone: phoneField,
    name,
    language: { type: "string", enum: languages },
  },
} as const satisfies JsonSchema;

type InviteExpertBody = BodyOf<typeof inviteSchema>;

const enterSchema = {
  type: "object",
  additionalProperties: false,
  properties: { name },
} as const satisfies JsonSchema;

const expertMembers = {
  id: text,
  participant: text,
  name: nullableText,
  contact: nullableText,
  expires: timestamp,
};

const invitedAnswer = exactObject("InvitedExpert", {
  ...expertMembers,
  link: { type: "string", format: "uri" },
  channels: { type: "array", items: { type: "string", enum: ["email", "sms"] } },
});

const expertListAnswer = listOf("ExpertList", exactObject("Expert", expertMembers));

const agentRoute = {
  family: "solution",
  limit: "api",
  permission: "tickets.write",
  path: "/tickets/{ticketId}/experts",
  params: ticketParams,
} as const;

export function expertRoutes(experts: Experts): (Route | PublicRoute)[] {
  return [inviteRoute(experts), listRoute(experts), tokenRoute(experts)];
}

function inviteRoute(experts: Experts): Route {
  return route<{ ticketId: number }, unknown, InviteExpertBody>({
    ...agentRoute,
    method: "POST",
    operationId: "api.v3.tickets.experts.invite",
    summary: "Invite an expert into the running call of a ticket",
    body: inviteSchema,
    answer: { status: 201, schema: invitedAnswer },
    problems: ["conflict", "quota_reached"],
    handle: async (request) => {
      const { ticketId } = request.params;
      const order = parseOrder(request.body);
      const { expert, link, channels } = await experts.invite(scopeOf(request), ticketId, order);
      const location = `/api/tickets/${ticketId}/experts`;
      return created({ ...presentExpert(expert), link, channels }, location);
    },
  });
}

function listRoute(experts: Experts): Route {
  return route<{ ticketId: number }>({
    ...agentRoute,
    method: "GET",
    operationId: "api.v3.tickets.experts.list",
    summary: "List the experts whose link into the call of a ticket is valid",
    answer: { status: 200, schema: expertListAnswer },
    handle: async (request) => {
      const data = await experts.list(scopeOf(request), request.params.ticketId);
      return ok({ total: data.length, data: data.map(presentExpert) });
    },
  });
}

function tokenRoute(experts: Experts): PublicRoute {
  return publicRoute<BodyOf<typeof enterSchema>, { secret: string }>({
    limit: "guest",
    method: "POST",
    path: "/guest/experts/{secret}/token",
    operationId: "api.v3.guest.experts.token",
    summary: "Enter a call as an invited expert: issue a room token",
    params: secretParams,
    body: enterSchema,
    answer: { status: 200, schema: roomTokenAnswer },
    problems: ["gone", "conflict"],
    handle: async ({ params, body }) => {
      const issued = await experts.enter(params.secret, body.name?.trim());
      return ok(presentRoomToken(issued, expertTokenSeconds));
    },
  });
}

/** A colleague, or an email address or a phone number, or both of these. */
function parseOrder(body: InviteExpertBody): ExpertOrder {
  const { user_id: userId, language = null } = body;
  const email = contactOf(body.email, parseEmail);
  const phone = contactOf(body.phone, parsePhone);
  const hasContact = email !== null || phone !== null;
  if (hasContact === (userId !== undefined)) {
    const reason = hasContact ? "exclusive" : "required";
    const fields = ["user_id", "email", "phone"].map((field) => ({ field, reason }));
    throw fieldProblem(fields, ["Give either user_id, or email or phone or both."]);
  }
  return { userId, email, phone, name: body.name?.trim() ?? null, language };
}

/** In its stored form; null for an empty one. The schema checked its format. */
function contactOf(
  value: string | undefined,
  parse: (text: string) => string | undefined,
): string | null {
  return parse(value ?? "") ?? null;
}

function presentExpert({ id, name: known, contact, expiresAt }: ExpertInvitation) {
  return { id, participant: expertId(id), name: known, contact, expires: toTimestamp(expiresAt) };
}
