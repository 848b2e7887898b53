import { toTimestamp } from "../platform/timestamps.ts";
import type { Requestor, Ticket } from "./ticket.ts";

/** The customer's contact: only what is known. */
const presentRequestor = (requestor: Requestor): Record<string, string> => {
  const { phone, email, firstname, lastname, company } = requestor;
  const known = Object.entries({ phone, email, firstname, lastname, company }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return Object.fromEntries(known);
};

const times = (ticket: Ticket) => ({
  created: toTimestamp(ticket.createdAt),
  modified: toTimestamp(ticket.modifiedAt),
  start_time: toTimestamp(ticket.startTime),
  end_time: toTimestamp(ticket.endTime),
});

const content = (ticket: Ticket, baseUrl: string) => ({
  subject: ticket.subject,
  type: ticket.type,
  description: ticket.description,
  agent: ticket.agent?.login ?? "",
  requestor_url: `${baseUrl}/v/${ticket.requestorSecret}`,
  requestor: presentRequestor(ticket.requestor),
  information_page_url: `${baseUrl}/i/${ticket.informationCode}`,
  service_key: ticket.serviceKey,
});

/** A ticket as creating it answers. `sso_url` only where asked for. */
export const presentCreatedTicket = (ticket: Ticket, baseUrl: string, ssoToken?: string) => ({
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
});

/** A single ticket, as reading and changing it answer: with what else can be set, and where it is. */
export const presentTicket = (ticket: Ticket, baseUrl: string) => ({
  ...presentCreatedTicket(ticket, baseUrl),
  priority: ticket.priority,
  language: ticket.language,
  geoloc: ticket.geoloc,
});

const ssoUrl = ({ id, buttonId }: Ticket, baseUrl: string, token: string): string =>
  `${baseUrl}/agent/entrypoint/${buttonId}/tickets/${id}?access_token=${token}`;

/** An item of the list: without the agent's addresses, with the last recorded position. */
export const presentTicketItem = (ticket: Ticket, baseUrl: string) => ({
  id: ticket.id,
  state: ticket.state,
  reference: ticket.reference,
  ...times(ticket),
  ...content(ticket, baseUrl),
  geoloc: ticket.geoloc,
});

/** What a customer who asked for assistance gets: their own addresses, no ids. */
export const presentRequest = (ticket: Ticket, baseUrl: string) => ({
  state: ticket.state,
  requestor_url: `${baseUrl}/v/${ticket.requestorSecret}`,
  information_page_url: `${baseUrl}/i/${ticket.informationCode}`,
});
