/**
 * What every operation of the REST interface is and who may use it, written down a second time and
 * by hand: from the table of roles, not from the code. An operation that is not in here fails the
 * matrix until somebody has decided where it belongs.
 */
import type { TicketState } from "../../src/contracts/events.ts";
import type { Reach, Role } from "../../src/contracts/permissions.ts";
import type { House, Member } from "../support/house.ts";

/** Roles that may, and which objects of their enterprise; the others get a 403. */
export type Access = Partial<Record<Role, Reach>>;

export type Classified = Readonly<{
  family: "solution" | "platform";
  /** `public`: without a token. `everybody`: any good token. */
  access: Access | "public" | "everybody";
  /** What the path names. */
  target: "none" | "ticket" | "webhook" | "delivery";
  /** Of a call that may be made. */
  status: 200 | 201 | 204;
  /** The state a ticket is in so that the call can be made. */
  state?: TicketState;
  /** A state in which it cannot. */
  conflictIn?: TicketState;
  body?: (house: House, actor: Member) => unknown;
}>;

const whole = { admin: "all", integration: "all", superadmin: "all" } as const;

const readTickets: Access = { ...whole, viewer: "group", agent: "group", manager: "group" };
const writeTickets: Access = { ...whole, agent: "own", manager: "group" };
const takeTickets: Access = { ...whole, agent: "group", manager: "group" };
const assignTickets: Access = { ...whole, manager: "group" };
const readTimeline: Access = { ...whole, agent: "own", manager: "group" };
const webhooks: Access = whole;

const ticket = { family: "solution", target: "ticket", status: 200 } as const;
const webhook = { family: "platform", target: "webhook", status: 200, access: webhooks } as const;

/** A manager may not give himself tickets: he is no agent. */
const ownAgent = ({ members }: House, actor: Member): string =>
  actor.role === "agent" ? actor.login : members.agent.login;

export const classified: Readonly<Record<string, Classified>> = {
  "POST /token": { family: "platform", access: "public", target: "none", status: 200 },
  "DELETE /token": { family: "platform", access: "everybody", target: "none", status: 204 },
  "GET /users/me": { family: "solution", access: "everybody", target: "none", status: 200 },

  "POST /tickets": {
    ...{ family: "solution", access: writeTickets, target: "none", status: 201 },
    body: (house, actor) => ({ agent: ownAgent(house, actor), email: "jane@example.com" }),
  },
  "GET /tickets": { family: "solution", access: readTickets, target: "none", status: 200 },
  "GET /tickets/{ticketId}": { ...ticket, access: readTickets },
  "PATCH /tickets/{ticketId}": {
    ...{ ...ticket, access: writeTickets, state: "opened", conflictIn: "closed" },
    body: () => ({ subject: "Another subject" }),
  },
  "DELETE /tickets/{ticketId}": {
    ...{ ...ticket, access: writeTickets, status: 204, state: "closed", conflictIn: "inprogress" },
  },
  "GET /tickets/{ticketId}/events": { ...ticket, access: readTimeline },
  "POST /tickets/{ticketId}/take": {
    ...{ ...ticket, access: takeTickets, state: "new", conflictIn: "done" },
  },
  "PUT /tickets/{ticketId}/agent": {
    ...{ ...ticket, access: assignTickets, state: "opened", conflictIn: "closed" },
    body: ({ members }) => ({ agent: members.agent.login }),
  },
  "POST /tickets/{ticketId}/approve": {
    ...{ ...ticket, access: assignTickets, state: "new", conflictIn: "opened" },
  },
  "POST /tickets/{ticketId}/reject": {
    ...{ ...ticket, access: assignTickets, state: "open", conflictIn: "opened" },
  },
  "POST /tickets/{ticketId}/complete": {
    ...{ ...ticket, access: writeTickets, state: "inprogress", conflictIn: "new" },
  },
  "POST /tickets/{ticketId}/cancel": {
    ...{ ...ticket, access: writeTickets, state: "invited", conflictIn: "done" },
  },
  "POST /tickets/{ticketId}/close": {
    ...{ ...ticket, access: assignTickets, state: "done", conflictIn: "new" },
  },

  "GET /webhooks": { ...webhook, target: "none" },
  "POST /webhooks": {
    ...{ ...webhook, target: "none", status: 201 },
    body: () => ({ name: "Mine", filters: ["ticket.*"] }),
  },
  "GET /webhooks/event-types": { ...webhook, target: "none" },
  "GET /webhooks/{webhookId}": webhook,
  "PATCH /webhooks/{webhookId}": { ...webhook, body: () => ({ name: "Another name" }) },
  "DELETE /webhooks/{webhookId}": { ...webhook, status: 204 },
  "GET /webhooks/{webhookId}/deliveries": webhook,
  "GET /webhooks/{webhookId}/deliveries/{deliveryId}": { ...webhook, target: "delivery" },
};

export const operations = Object.entries(classified);

export const reachOf = ({ access }: Classified, role: Role): Reach | undefined =>
  typeof access === "string" ? "all" : access[role];

export const isPublic = ({ access }: Classified): boolean => access === "public";
