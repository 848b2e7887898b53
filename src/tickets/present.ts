import { text, integer } from "../http/schema.ts";
import { answerMembersOf, requestorAnswerMembers, templateOf, type Requestor } from "./fields.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { Ticket } from "./model.ts";
import type { JsonSchema } from "../http/route.ts";

/**
 * The answers of ticket operations. Each answer is a table of its members, from which its schema and
 * its presentation are made.
 */
type Members = Readonly<Record<string, Member>>;

type Member = Readonly<{ schema: JsonSchema; read: ReadMember }>;

type ReadMember = (ticket: Ticket, baseUrl: string, ssoToken?: string) => unknown;

const url = { type: "string", format: "uri" };

const { phone: phoneMember = text, ...otherContacts } = requestorAnswerMembers;

const requestorMembers = { phone: phoneMember, ...otherContacts };

const requestorNames = Object.keys(requestorMembers) as (keyof Requestor)[];

const state = member(text, (ticket) => ticket.state);

const idMembers = { id: member(integer, ({ id }) => id), state };

const { reference, ...itemFields } = answerMembersOf("item");

const sharedMembers = {
  reference,
  created: timestampMember(({ createdAt }) => createdAt),
  modified: timestampMember(({ modifiedAt }) => modifiedAt),
  start_time: timestampMember(({ startTime }) => startTime),
  end_time: timestampMember(({ endTime }) => endTime),
  ...itemFields,
  agent: member(text, ({ agent }) => agent?.login ?? ""),
  requestor_url: urlMember(({ requestorSecret }, baseUrl) => `${baseUrl}/v/${requestorSecret}`),
  requestor: member(strictObject("Requestor", requestorMembers, requestorNames), ({ requestor }) =>
    presentRequestor(requestor),
  ),
  information_page_url: urlMember(
    ({ informationCode }, baseUrl) => `${baseUrl}/i/${informationCode}`,
  ),
  service_key: member(text, ({ serviceKey }) => serviceKey),
};

const geoloc = member(
  {
    ...strictObject("Geoloc", { lat: { type: "number" }, lng: { type: "number" } }),
    type: ["object", "null"],
  },
  (ticket) => ticket.geoloc,
);

const createdMembers = createdMembersWith({});

const ssoMembers = createdMembersWith({ sso_url: urlMember(ssoUrl) });

const { priority, ...singleFields } = answerMembersOf("single");

const singleMembers = { ...createdMembers, priority, ...singleFields, geoloc };

/** An item of the list: without the agent's contact data, with the last recorded position. */
const itemMembers = { ...idMembers, ...sharedMembers, geoloc };

/** A created ticket; `sso_url` only on request. */
export const createdTicketAnswer: JsonSchema = strictObject(
  "CreatedTicket",
  schemasOf(ssoMembers),
  ["sso_url"],
);

/** A single ticket, read or changed. */
export const ticketAnswer: JsonSchema = strictObject("Ticket", schemasOf(singleMembers));

export const ticketListAnswer: JsonSchema = strictObject("TicketList", {
  total: integer,
  data: { type: "array", items: strictObject("TicketItem", schemasOf(itemMembers)) },
});

export const ticketRequestAnswer: JsonSchema = strictObject("TicketRequest", {
  state: text,
  requestor_url: url,
  information_page_url: url,
});

/** A single ticket, for reads and changes. */
export const presentTicket = presenterOf(singleMembers);

export const presentTicketItem = presenterOf(itemMembers);

const presentWithoutSso = presenterOf(createdMembers);

const presentWithSso = presenterOf(ssoMembers);

/** A created ticket. `sso_url` only on request. */
export function presentCreatedTicket(ticket: Ticket, baseUrl: string, ssoToken?: string) {
  const present = ssoToken === undefined ? presentWithoutSso : presentWithSso;
  return present(ticket, baseUrl, ssoToken);
}

function createdMembersWith(sso: Members) {
  return {
    ...idMembers,
    status: state,
    ...sharedMembers,
    agent_url: urlMember((_ticket, baseUrl) => `${baseUrl}/agent`),
    ...sso,
    ...answerMembersOf("created"),
    button_id: member(integer, ({ buttonId }) => buttonId),
  };
}

function ssoUrl({ id, buttonId }: Ticket, baseUrl: string, token = ""): string {
  return `${baseUrl}/agent/entrypoint/${buttonId}/tickets/${id}?access_token=${token}`;
}

/** The customer's contact data: known members only. */
function presentRequestor(requestor: Requestor): Record<string, string> {
  const known: Record<string, string> = {};
  for (const name of requestorNames) {
    const value = requestor[name];
    if (value !== null) {
      known[name] = value;
    }
  }
  return known;
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

function member(schema: JsonSchema, read: ReadMember): Member {
  return { schema, read };
}

function urlMember(read: ReadMember): Member {
  return member(url, read);
}

function timestampMember(read: (ticket: Ticket) => Date): Member {
  return member({ type: "string", format: "date-time" }, (ticket) => toTimestamp(read(ticket)));
}

function schemasOf(members: Members): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));
}

function presenterOf(members: Members) {
  const entries = Object.entries(members);
  const template = templateOf(Object.keys(members));
  return (...from: Parameters<ReadMember>): Readonly<Record<string, unknown>> => {
    const answer = { ...template };
    for (const [name, { read }] of entries) {
      answer[name] = read(...from);
    }
    return answer;
  };
}
