/** How an operation is classified. */
import type { TicketState } from "../../../src/contracts/events.ts";
import type { Reach, Role } from "../../../src/contracts/permissions.ts";
import type { ReplayState } from "../../../src/contracts/deliveries.ts";
import type { Tenant, Member } from "../../support/tenant.ts";
import type { ApiCall } from "../../support/whole-api.ts";

/** Roles that may, and which objects of their enterprise; the others get a 403. */
export type Access = Partial<Record<Role, Reach>>;

/** Values of the path's parameters, and what else a call must name. */
export type Ids = Readonly<Record<string, number | string>>;

/** What the call is about: see `targets`. */
export type TargetKind =
  | "none"
  | "ticket"
  | "ticketInCall"
  | "ticketOfEnterprise"
  | "webhook"
  | "keptWebhook"
  | "platformWebhook"
  | "keyedWebhook"
  | "delivery"
  | "anyDelivery"
  | "endedDelivery"
  | "failingDelivery"
  | "ownEndedDelivery"
  | "ownFailingDelivery"
  | "openCircuit"
  | "replay"
  | "event"
  | "conference"
  | "dialIn"
  | "conversation"
  | "session"
  | "runningSession"
  | "media"
  | "mediaOfTicket"
  | "user"
  | "ownBrowserSession"
  | "ownApiToken"
  | "apiToken"
  | "service"
  | "button"
  | "serviceTemplate"
  | "enterprise"
  | "ownEnterprise"
  | "group"
  | "domain"
  | "enterpriseTemplate"
  | "sms"
  | "email"
  | "hl7";

export type Classified = Readonly<{
  family: "solution" | "platform";
  /** `everybody`: any good token. */
  access: Access | "everybody";
  /** What the path names. */
  target: TargetKind;
  /** Of a call that may be made. */
  status: 200 | 201 | 202 | 204;
  /** Though not a GET it changes nothing that is stored. */
  isReading?: true;
  /** The state a ticket is in so that the call can be made. */
  state?: TicketState;
  /** A state in which it cannot. */
  conflictIn?: TicketState;
  /** The same of a conference. */
  conference?: "scheduled" | "ongoing";
  conferenceConflictIn?: "scheduled" | "ended";
  /** The same of a replay of events. */
  replay?: ReplayState;
  replayConflictIn?: ReplayState;
  /** With the permission, every object of the enterprise is in reach. */
  ignoresReach?: true;
  /** Only whose it is may do it, however far their role reaches. */
  isOwnersOnly?: true;
  /** Whose answer names other enterprises too, as it should: those they administer, or every one. */
  sees?: Partial<Record<Role, "managed" | "every">>;
  /** The roles that may act on an object without an agent. */
  claimedBy?: readonly Role[];
  query?: (tenant: Tenant, ids: Ids) => string;
  body?: (tenant: Tenant, actor: Member, ids: Ids) => unknown;
  /** Of a call whose body is no JSON. */
  sends?: (tenant: Tenant, actor: Member, ids: Ids) => ApiCall;
}>;

export type ClassifiedRoutes = Readonly<Record<string, Classified>>;
