/** Customer links: what the page shows before entry, and the room tokens. */
import { agentParticipant } from "../contracts/rooms.ts";
import type { TicketLink } from "../contracts/tickets.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Guest } from "../http/route.ts";
import { truncate } from "../http/values.ts";
import type { GuestDeps, GuestTicket } from "./ports.ts";
import { findDueSurvey, type DueSurvey, findGuestService, type GuestService } from "./survey.ts";
import { gone, requireLink } from "./with-ticket.ts";

/** Lifetime of a room token. */
export const roomTokenSeconds = 12 * 60 * 60;

/** Of the tables of a room. First and last name have 128 characters each. */
const maxNameLength = 128;

export type OpenedLink = Readonly<{
  ticket: GuestTicket;
  service: GuestService;
  survey: DueSurvey | undefined;
}>;

export type IssuedRoomToken = Readonly<{ token: string; guest: Guest }>;

export type GuestLinks = {
  /**
   * 404 for unknown links, 410 with the reason for those that are over. A link with a due survey is
   * not over.
   */
  open(link: TicketLink): Promise<OpenedLink>;
  /** Starts a new visit of the customer. Consent and answers belong to the visit. */
  enter(secret: string): Promise<IssuedRoomToken>;
  /** Lets the ticket's agent enter its room. */
  enterAsAgent(scope: Scope, ticketId: number): Promise<IssuedRoomToken>;
};

export function createGuestLinks(deps: GuestDeps): GuestLinks {
  const { db, clock, ids, tickets, roomTokens } = deps;

  const find = async (link: TicketLink): Promise<GuestTicket> => {
    const found =
      "secret" in link
        ? await tickets.findBySecret(db, link.secret)
        : await tickets.findByCode(db, link.informationCode);
    if (found === undefined) {
      throw (await tickets.wasDeleted(db, link))
        ? gone("deleted")
        : problem("not_found", "The link was not found.");
    }
    return found;
  };

  const open = async (link: TicketLink): Promise<OpenedLink> => {
    const ticket = await find(link);
    const service = await findGuestService(db, ticket);
    if (service === undefined) {
      throw gone("deleted");
    }
    const at = clock.now();
    const survey = await findDueSurvey(deps, db, { ticket, service, at });
    if (survey === undefined) {
      requireLink(deps, ticket, at);
    }
    return { ticket, service, survey };
  };

  const issue = async (
    ticket: GuestTicket,
    who: Pick<Guest, "role" | "participant" | "userId" | "name">,
  ): Promise<IssuedRoomToken> => {
    const guest: Guest = {
      ...who,
      name: truncate(who.name, maxNameLength).trimEnd(),
      enterpriseId: ticket.enterpriseId,
      conversationId: ticket.conversationId,
      ticketId: ticket.id,
      conferenceId: null,
      visit: ids.uuid(),
    };
    const expiresAt = new Date(clock.now().getTime() + roomTokenSeconds * 1000);
    return { token: await roomTokens.issue(guest, expiresAt), guest };
  };

  return {
    open,
    enter: async (secret) => {
      const { ticket } = await open({ secret });
      const name = requestorName(ticket);
      // A ticket has one customer: on any device and after every return, the same participant.
      return issue(ticket, { role: "requestor", participant: "requestor", userId: null, name });
    },
    enterAsAgent: async (scope, ticketId) => {
      const ticket = await deps.getTicket(scope, ticketId);
      const { userId } = scope;
      if (ticket.agent?.id !== userId) {
        throw problem("forbidden", "Only the ticket's agent may enter. Take the ticket first.");
      }
      if (tickets.isOver(ticket, clock.now())) {
        throw roomClosed(ticket.state);
      }
      const name = agentNameOf(ticket);
      return issue(ticket, { role: "agent", participant: agentParticipant(userId), userId, name });
    },
  };
}

export function roomClosed(state: string): Error {
  return problem("conflict", `The room of a ticket that is ${state} is closed.`, {
    details: `Transition ${state} → inprogress`,
  });
}

function requestorName({ requestor, name }: GuestTicket): string {
  const full = `${requestor.firstname ?? ""} ${requestor.lastname ?? ""}`.trim();
  return full === "" ? (name ?? "") : full;
}

/** First and last name. Customers do not see the login. */
export function agentNameOf({ agent }: GuestTicket): string {
  return `${agent?.person.firstname ?? ""} ${agent?.person.lastname ?? ""}`.trim();
}
