/** The columns of a ticket and how they are read. For the stores only: rows go no further. */
import { fieldColumns, readFields, type TicketFieldColumns, type TicketFields } from "./fields.ts";
import type { TicketState } from "../contracts/events.ts";
import type { Person } from "../contracts/session-events.ts";
import type { Ticket } from "./model.ts";

export type TicketRow = TicketFieldColumns & {
  id: number;
  enterprise_id: number;
  conversation_id: number;
  service_id: number;
  service_key: string;
  button_id: number;
  agent_id: number | null;
  agent: (Person & { login: string }) | null;
  state: TicketState;
  requestor_secret: string;
  information_code: string;
  geoloc_lat: number | null;
  geoloc_lng: number | null;
  template_id: number | null;
  last_invited_at: Date | null;
  start_time: Date;
  end_time: Date;
  created_at: Date;
  modified_at: Date;
};

// Sub-selects, not joins: read again after a wait for a row lock, an outer join whose key changed
// meanwhile would come back empty.
export const ticketColumns = `t.*,
  (SELECT s.service_key FROM services s WHERE s.id = t.service_id) AS service_key,
  (SELECT json_build_object('login', u.login, 'email', u.email, 'phone', u.phone,
      'firstname', u.firstname, 'lastname', u.lastname)
    FROM users u WHERE u.id = t.agent_id) AS agent`;

export function toTicket(row: TicketRow): Ticket {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    conversationId: row.conversation_id,
    serviceId: row.service_id,
    serviceKey: row.service_key,
    buttonId: row.button_id,
    agent: toAgent(row),
    state: row.state,
    ...readFields(row),
    requestorSecret: row.requestor_secret,
    informationCode: row.information_code,
    geoloc:
      row.geoloc_lat === null || row.geoloc_lng === null
        ? null
        : { lat: row.geoloc_lat, lng: row.geoloc_lng },
    templateId: row.template_id,
    lastInvitedAt: row.last_invited_at,
    startTime: row.start_time,
    endTime: row.end_time,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

function toAgent({ agent_id: id, agent }: TicketRow): Ticket["agent"] {
  if (id === null || agent === null) {
    return null;
  }
  const { login, ...person } = agent;
  return { id, login, person };
}

export function ticketFieldColumns(fields: TicketFields) {
  return { ...fieldColumns(fields), start_time: fields.startTime, end_time: fields.endTime };
}
