/**
 * Experts: people whom the agent of a ticket invites into its running call. A link is for one person
 * and one ticket, and opens the call only: two hours after the invitation, after the removal of the
 * expert, and once the ticket is over, it leads nowhere.
 */
import type { Scope } from "../../contracts/permissions.ts";
import { missingParameter, problem } from "../../contracts/problems.ts";
import { expertId } from "../../contracts/rooms.ts";
import type { Guest } from "../../http/route.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { IssuedRoomToken } from "../links.ts";
import type { GuestTicket } from "../ports.ts";
import {
  admissionKeyOf,
  createOpen,
  isAccountActive,
  requireAgent,
  type ExpertDeps,
  type OpenExpertLink,
} from "./access.ts";
import { createInvite, linkMs, maxPerTicket, type InviteExpert } from "./invite.ts";
import { listExperts, nameExpert, type ExpertInvitation } from "./store.ts";

export type Experts = Readonly<{
  /** The ticket's agent, while its session is running. */
  invite: InviteExpert;
  /** Experts whose link is still valid. */
  list(scope: Scope, ticketId: number): Promise<ExpertInvitation[]>;
  open: OpenExpertLink;
  /** 409 while nobody is in the call. */
  enter(secret: string, name: string | undefined): Promise<IssuedRoomToken>;
}>;

/** The longest session. */
export const expertTokenSeconds = 4 * 3_600;

export function createExperts(deps: ExpertDeps): Experts {
  const { db, clock, tickets } = deps;
  const open = createOpen(deps);
  return {
    open,
    invite: createInvite(deps),
    list: async (scope, ticketId) => {
      const ticket = await requireAgent(deps, scope, ticketId);
      const at = clock.now();
      if (tickets.linkEndOf(ticket, at) !== undefined) {
        return [];
      }
      const since = new Date(at.getTime() - linkMs);
      const ref = { enterpriseId: ticket.enterpriseId, ticketId };
      const invited = await listExperts(db, ref, { since, limit: maxPerTicket });
      const states = await deps.findAdmissions(invited.map((one) => admissionKeyOf(one, ticket)));
      const active = await Promise.all(invited.map((one) => isAccountActive(deps, one)));
      return invited.filter((_expert, index) => active[index] && states[index] !== "denied");
    },
    enter: async (secret, name) => {
      const { expert, ticket } = await open(secret);
      const session = await deps.findLatestSession(db, ticket);
      if (session?.endedAt !== null) {
        throw problem("conflict", "No one is in the call. Wait until the agent is back.");
      }
      return issue(deps, ticket, {
        ...{ ...expert, sessionId: session.id },
        name: await nameOf(deps, expert, name),
      });
    },
  };
}

async function nameOf(
  { db }: ExpertDeps,
  expert: ExpertInvitation,
  entered: string | undefined,
): Promise<string> {
  if (expert.name !== null) {
    return expert.name;
  }
  if (entered === undefined) {
    throw missingParameter("name");
  }
  return inTransaction(db, (trx) => nameExpert(trx, expert, entered));
}

async function issue(
  { clock, roomTokens }: ExpertDeps,
  ticket: GuestTicket,
  expert: ExpertInvitation & { name: string; sessionId: string },
): Promise<IssuedRoomToken> {
  const guest: Guest = {
    enterpriseId: ticket.enterpriseId,
    conversationId: ticket.conversationId,
    ticketId: ticket.id,
    conferenceId: null,
    role: "expert",
    participant: expertId(expert.id),
    visit: expert.sessionId,
    userId: expert.userId,
    name: expert.name,
  };
  const expiresAt = new Date(clock.now().getTime() + expertTokenSeconds * 1_000);
  return { token: await roomTokens.issue(guest, expiresAt), guest };
}
