import { toTimestamp } from "../platform/timestamps.ts";
import type { Requestor, Ticket } from "./ticket.ts";

/** A single ticket, as reading and changing it answer: with what else can be set, and where it is. */
export function presentTicket(ticket: Ticket, baseUrl: string) {
  return {
    ...presentCreatedTicket(ticket, baseUrl),
    priority: ticket.priority,
    language: ticket.language,
    geoloc: ticket.geoloc,
  };
}

/** A ticket as creating it answers. `sso_url` only where asked for. */
export function presentCreatedTicket(ticket: Ticket, baseUrl: string, ssoToken?: string) {
  return {
    id: ticket.id,
    state: ticket.state,
    status: ticket.state,
    reference: ticket.reference,
    ...times(ticket),
    ...content(ticket, baseUrl),
    agent_url: `${baseUrl}/agent`,
    ...(ssoToken === undefined ? {} : { sso_url: ssoUrl(ticket, baseUrl, ssoToken) }),
    name: ticket.name,
    button_id: ticket.buttonId,
  };
}

function ssoUrl({ id, buttonId }: Ticket, baseUrl: string, token: string): string {
  return `${baseUrl}/agent/entrypoint/${buttonId}/tickets/${id}?access_token=${token}`;
}

/** An item of the list: without the agent's addresses, with the last recorded position. */
export function presentTicketItem(ticket: Ticket, baseUrl: string) {
  return {
    id: ticket.id,
    state: ticket.state,
    reference: ticket.reference,
    ...times(ticket),
    ...content(ticket, baseUrl),
    geoloc: ticket.geoloc,
  };
}

function times(ticket: Ticket) {
  return {
    created: toTimestamp(ticket.createdAt),
    modified: toTimestamp(ticket.modifiedAt),
    start_time: toTimestamp(ticket.startTime),
    end_time: toTimestamp(ticket.endTime),
  };
}

function content(ticket: Ticket, baseUrl: string) {
  return {
    subject: ticket.subject,
    type: ticket.type,
    description: ticket.description,
    agent: ticket.agent?.login ?? "",
    requestor_url: `${baseUrl}/v/${ticket.requestorSecret}`,
    requestor: presentRequestor(ticket.requestor),
    information_page_url: `${baseUrl}/i/${ticket.informationCode}`,
    service_key: ticket.serviceKey,
  };
}

/** The customer's contact: only what is known. */
function presentRequestor(requestor: Requestor): Record<string, string> {
  const { phone, email, firstname, lastname, company } = requestor;
  const known = Object.entries({ phone, email, firstname, lastname, company }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return Object.fromEntries(known);
}

/** What a customer who asked for assistance gets: their own addresses, no ids. */
export function presentRequest(ticket: Ticket, baseUrl: string) {
  return {
    state: ticket.state,
    requestor_url: `${baseUrl}/v/${ticket.requestorSecret}`,
    information_page_url: `${baseUrl}/i/${ticket.informationCode}`,
  };
}
