import type { TicketState } from "../contracts/events.ts";
import type { Geoloc, Person } from "../contracts/session-events.ts";

/** The customer of a ticket, as far as known. One of `email` and `phone` always is. */
export type Requestor = Readonly<{
  email: string | null;
  phone: string | null;
  firstname: string | null;
  lastname: string | null;
  company: string | null;
}>;

export type Agent = Readonly<{ id: number; login: string; person: Person }>;

export type Ticket = Readonly<{
  id: number;
  enterpriseId: number;
  conversationId: number;
  serviceId: number;
  serviceKey: string;
  buttonId: number;
  agent: Agent | null;
  state: TicketState;
  reference: string;
  subject: string | null;
  type: string;
  description: string | null;
  name: string | null;
  priority: number;
  language: string | null;
  requestor: Requestor;
  requestorSecret: string;
  informationCode: string;
  geoloc: Geoloc | null;
  /** The message template that invitations use; null: the service's. */
  templateId: number | null;
  lastInvitedAt: Date | null;
  startTime: Date;
  endTime: Date;
  createdAt: Date;
  modifiedAt: Date;
}>;

/** The customer as timeline entries carry a person: strings only. */
export function requestorPerson({ requestor }: Ticket): Person {
  return {
    email: requestor.email ?? "",
    phone: requestor.phone ?? "",
    firstname: requestor.firstname ?? "",
    lastname: requestor.lastname ?? "",
  };
}

/** The agent as timeline entries carry a person; empty while nobody has taken the ticket. */
export function agentPerson({ agent }: Ticket): Person {
  return agent?.person ?? { email: "", phone: "", firstname: "", lastname: "" };
}
