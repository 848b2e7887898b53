/** The classification of an operation. */
import type { TicketState } from "../../../src/contracts/events.ts";
import type { Reach, Role } from "../../../src/contracts/permissions.ts";
import type { ReplayState } from "../../../src/contracts/deliveries.ts";
import type { Tenant, Member } from "../../support/tenant.ts";
import type { ApiCall } from "../../support/whole-api.ts";

/** The permitted roles, with their reach within the enterprise; the others get a 403. */
export type Access = Partial<Record<Role, Reach>>;

/** Path parameters, and other values that a call needs. */
export type Ids = Readonly<Record<string, number | string>>;

/** The kind of object that the path refers to (see `targets`). */
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
  /** `everybody`: any valid token. */
  access: Access | "everybody";
  /** The object that the path refers to. */
  target: TargetKind;
  /** Status of a permitted call. */
  status: 200 | 201 | 202 | 204;
  /** Not a GET, but changes nothing that is stored. */
  isReading?: true;
  /** A ticket state in which the call succeeds. */
  state?: TicketState;
  /** A ticket state in which the call answers 409. */
  conflictIn?: TicketState;
  /** The same for a conference. */
  conference?: "scheduled" | "ongoing";
  conferenceConflictIn?: "scheduled" | "ended";
  /** The same for a replay. */
  replay?: ReplayState;
  replayConflictIn?: ReplayState;
  /** With the permission, every object of the enterprise is in reach. */
  ignoresReach?: true;
  /** Only the owner of the object has access, whatever the reach of the role. */
  isOwnersOnly?: true;
  /** The response may contain other enterprises: those that the caller administers, or all. */
  sees?: Partial<Record<Role, "managed" | "every">>;
  /** The roles that may act on an object without an agent. */
  claimedBy?: readonly Role[];
  query?: (tenant: Tenant, ids: Ids) => string;
  body?: (tenant: Tenant, actor: Member, ids: Ids) => unknown;
  /** Builds the call if its body is not JSON. */
  sends?: (tenant: Tenant, actor: Member, ids: Ids) => ApiCall;
}>;

export type ClassifiedRoutes = Readonly<Record<string, Classified>>;
