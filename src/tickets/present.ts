import { toTimestamp } from "../platform/timestamps.ts";
import type { Requestor, Ticket } from "./model.ts";
import type { JsonSchema } from "../http/route.ts";

/** What ticket operations answer, for the description of the API. */
const text = { type: "string" };

const nullableText = { type: ["string", "null"] };

const timestamp = { type: "string", format: "date-time" };

const urlSchema = { type: "string", format: "uri" };

const requestorMembers = {
  phone: text,
  email: text,
  firstname: text,
  lastname: text,
  company: text,
};

const requestorSchema = strictObject("Requestor", requestorMembers, Object.keys(requestorMembers));

const sharedMembers = {
  id: { type: "integer" },
  state: text,
  reference: text,
  created: timestamp,
  modified: timestamp,
  start_time: timestamp,
  end_time: timestamp,
  subject: nullableText,
  type: text,
  description: nullableText,
  agent: text,
  requestor_url: urlSchema,
  requestor: requestorSchema,
  information_page_url: urlSchema,
  service_key: text,
};

const geolocSchema = {
  ...strictObject("Geoloc", { lat: { type: "number" }, lng: { type: "number" } }),
  type: ["object", "null"],
};

const singleTicketMembers = {
  ...sharedMembers,
  status: text,
  agent_url: urlSchema,
  name: nullableText,
  button_id: { type: "integer" },
};

/** A new ticket; `sso_url` only where it was asked for. */
export const createdTicketAnswer: JsonSchema = strictObject(
  "CreatedTicket",
  { ...singleTicketMembers, sso_url: urlSchema },
  ["sso_url"],
);

/** A single ticket, read or changed. */
export const ticketAnswer: JsonSchema = strictObject("Ticket", {
  ...singleTicketMembers,
  priority: { type: "integer" },
  language: nullableText,
  geoloc: geolocSchema,
});

export const ticketListAnswer: JsonSchema = strictObject("TicketList", {
  total: { type: "integer" },
  data: {
    type: "array",
    items: strictObject("TicketItem", { ...sharedMembers, geoloc: geolocSchema }),
  },
});

export const ticketRequestAnswer: JsonSchema = strictObject("TicketRequest", {
  state: text,
  requestor_url: urlSchema,
  information_page_url: urlSchema,
});

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
    ...timeMembers(ticket),
    ...contentMembers(ticket, baseUrl),
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
    ...timeMembers(ticket),
    ...contentMembers(ticket, baseUrl),
    geoloc: ticket.geoloc,
  };
}

function timeMembers(ticket: Ticket) {
  return {
    created: toTimestamp(ticket.createdAt),
    modified: toTimestamp(ticket.modifiedAt),
    start_time: toTimestamp(ticket.startTime),
    end_time: toTimestamp(ticket.endTime),
  };
}

function contentMembers(ticket: Ticket, baseUrl: string) {
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

/** Every member is there: what is not known is null, and only the requestor shows no nulls. */
function strictObject(
  title: string,
  properties: Record<string, JsonSchema>,
  optional: string[] = [],
) {
  return {
    title,
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}
