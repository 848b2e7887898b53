import type { TicketState } from "../contracts/events.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { TicketFields } from "./input.ts";
import { move } from "./model.ts";
import type { TicketDeps } from "./ports.ts";
import { insertTicket, type NewTicket } from "./store.ts";
import type { Ticket } from "./ticket.ts";

/** A ticket that is wanted: what it is, and which kind of birth leads to its first state. */
type Wanted = TicketFields &
  Pick<
    NewTicket,
    | "enterpriseId"
    | "serviceId"
    | "serviceKey"
    | "buttonId"
    | "agent"
    | "templateId"
    | "createdBy"
    | "groupId"
  > &
  Readonly<{ action: "create" | "createInvited" | "request"; at: Date }>;

export type TicketInsert = (trx: Trx, wanted: Wanted) => Promise<Ticket>;

/** The rows of a new ticket: its conversation and itself, with secrets of its own. */
export function createTicketInsert({
  ids,
  conversations,
}: Pick<TicketDeps, "ids" | "conversations">): TicketInsert {
  return async (trx, { action, at, createdBy, groupId, ...given }) => {
    const { enterpriseId } = given;
    const conversation = await conversations.create(trx, { enterpriseId, at });
    const state = move("none", action).to as TicketState;
    const fresh: Omit<Ticket, "id"> = {
      ...given,
      conversationId: conversation.id,
      state,
      requestorSecret: ids.base62(22),
      informationCode: ids.base62(10),
      geoloc: null,
      lastInvitedAt: state === "invited" ? at : null,
      createdAt: at,
      modifiedAt: at,
    };
    const id = await insertTicket(trx, { ...fresh, createdBy, groupId });
    return { ...fresh, id };
  };
}
