/** What ticket operations answer, for the description of the API. */
import type { JsonSchema } from "../http/route.ts";

const text = { type: "string" };

const nullableText = { type: ["string", "null"] };

const timestamp = { type: "string", format: "date-time" };

const url = { type: "string", format: "uri" };

const requestorMembers = {
  phone: text,
  email: text,
  firstname: text,
  lastname: text,
  company: text,
};

const requestor = strict("Requestor", requestorMembers, Object.keys(requestorMembers));

const shared = {
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
  requestor_url: url,
  requestor,
  information_page_url: url,
  service_key: text,
};

const geoloc = {
  ...strict("Geoloc", { lat: { type: "number" }, lng: { type: "number" } }),
  type: ["object", "null"],
};

const single = {
  ...shared,
  status: text,
  agent_url: url,
  name: nullableText,
  button_id: { type: "integer" },
};

/** A new ticket; `sso_url` only where it was asked for. */
export const createdTicketAnswer: JsonSchema = strict(
  "CreatedTicket",
  { ...single, sso_url: url },
  ["sso_url"],
);

/** A single ticket, read or changed. */
export const ticketAnswer: JsonSchema = strict("Ticket", {
  ...single,
  priority: { type: "integer" },
  language: nullableText,
  geoloc,
});

export const ticketListAnswer: JsonSchema = strict("TicketList", {
  total: { type: "integer" },
  data: { type: "array", items: strict("TicketItem", { ...shared, geoloc }) },
});

export const ticketRequestAnswer: JsonSchema = strict("TicketRequest", {
  state: text,
  requestor_url: url,
  information_page_url: url,
});

/** Every member is there: what is not known is null, and only the requestor shows no nulls. */
function strict(title: string, properties: Record<string, JsonSchema>, optional: string[] = []) {
  return {
    title,
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}
