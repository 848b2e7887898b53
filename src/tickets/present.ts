import { text, integer } from "../http/schema.ts";
import {
  answerMembersOf,
  presentFields,
  requestorAnswerMembers,
  type Requestor,
} from "./fields.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { Ticket } from "./model.ts";
import type { JsonSchema } from "../http/route.ts";

/** The answers of ticket operations: schemas and presentation. */
const timestamp = { type: "string", format: "date-time" };

const urlSchema = { type: "string", format: "uri" };

const { phone: phoneMember = text, ...otherContacts } = requestorAnswerMembers;

const requestorMembers = { phone: phoneMember, ...otherContacts };

const requestorSchema = strictObject("Requestor", requestorMembers, Object.keys(requestorMembers));

const { reference: referenceMember = text, ...itemFields } = answerMembersOf("item");

const sharedMembers = {
  id: { type: "integer" },
  state: text,
  reference: referenceMember,
  created: timestamp,
  modified: timestamp,
  start_time: timestamp,
  end_time: timestamp,
  ...itemFields,
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
  ...answerMembersOf("created"),
  button_id: { type: "integer" },
};

/** A created ticket; `sso_url` only on request. */
export const createdTicketAnswer: JsonSchema = strictObject(
  "CreatedTicket",
  { ...singleTicketMembers, sso_url: urlSchema },
  ["sso_url"],
);

const { priority: priorityMember = integer, ...singleFields } = answerMembersOf("single");

/** A single ticket, read or changed. */
export const ticketAnswer: JsonSchema = strictObject("Ticket", {
  ...singleTicketMembers,
  priority: priorityMember,
  ...singleFields,
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

/** A single ticket, for reads and changes. */
export function presentTicket(ticket: Ticket, baseUrl: string) {
  const { priority, ...fields } = presentFields(ticket, "single");
  return {
    ...presentCreatedTicket(ticket, baseUrl),
    priority,
    ...fields,
    geoloc: ticket.geoloc,
  };
}

/** A created ticket. `sso_url` only on request. */
export function presentCreatedTicket(ticket: Ticket, baseUrl: string, ssoToken?: string) {
  return {
    id: ticket.id,
    state: ticket.state,
    status: ticket.state,
    ...presentShared(ticket, baseUrl),
    agent_url: `${baseUrl}/agent`,
    ...(ssoToken === undefined ? {} : { sso_url: ssoUrl(ticket, baseUrl, ssoToken) }),
    ...presentFields(ticket, "created"),
    button_id: ticket.buttonId,
  };
}

function ssoUrl({ id, buttonId }: Ticket, baseUrl: string, token: string): string {
  return `${baseUrl}/agent/entrypoint/${buttonId}/tickets/${id}?access_token=${token}`;
}

/** An item of the list: without the agent's contact data, with the last recorded position. */
export function presentTicketItem(ticket: Ticket, baseUrl: string) {
  return {
    id: ticket.id,
    state: ticket.state,
    ...presentShared(ticket, baseUrl),
    geoloc: ticket.geoloc,
  };
}

function presentShared(ticket: Ticket, baseUrl: string) {
  const { reference, ...fields } = presentFields(ticket, "item");
  return {
    reference,
    created: toTimestamp(ticket.createdAt),
    modified: toTimestamp(ticket.modifiedAt),
    start_time: toTimestamp(ticket.startTime),
    end_time: toTimestamp(ticket.endTime),
    ...fields,
    agent: ticket.agent?.login ?? "",
    requestor_url: `${baseUrl}/v/${ticket.requestorSecret}`,
    requestor: presentRequestor(ticket.requestor),
    information_page_url: `${baseUrl}/i/${ticket.informationCode}`,
    service_key: ticket.serviceKey,
  };
}

/** The customer's contact data: known members only. */
function presentRequestor(requestor: Requestor): Record<string, string> {
  const { phone, ...others } = requestor;
  return Object.fromEntries(
    Object.entries({ phone, ...others }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
}

/** The answer to a customer's request: their own data, no ids. */
export function presentRequest(ticket: Ticket, baseUrl: string) {
  return {
    state: ticket.state,
    requestor_url: `${baseUrl}/v/${ticket.requestorSecret}`,
    information_page_url: `${baseUrl}/i/${ticket.informationCode}`,
  };
}

/** Every member is present: unknown values are null. Only `requestor` omits them. */
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
