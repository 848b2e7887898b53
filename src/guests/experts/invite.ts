/** The invitation of an expert: its place, its link and its messages, in one transaction. */
import type { DirectoryUser } from "../../contracts/directory.ts";
import type { Scope } from "../../contracts/permissions.ts";
import { invalidParameter, problem } from "../../contracts/problems.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { truncate } from "../../http/values.ts";
import { agentNameOf, roomClosed } from "../links.ts";
import type { GuestTicket } from "../ports.ts";
import {
  createIsOngoing,
  requireAgent,
  requireAgentOf,
  type ExpertDeps,
  type IsOngoing,
} from "./access.ts";
import { insertExpert, listExperts, type ExpertInvitation } from "./store.ts";
import { hourMs } from "../../platform/clock.ts";

/** Either a colleague, or a contact. */
export type ExpertOrder = Readonly<{
  userId: number | undefined;
  email: string | null;
  phone: string | null;
  name: string | null;
  language: string | null;
}>;

export type InvitedExpert = Readonly<{
  expert: ExpertInvitation;
  link: string;
  channels: readonly string[];
}>;

export type InviteExpert = (
  scope: Scope,
  ticketId: number,
  order: ExpertOrder,
) => Promise<InvitedExpert>;

/** How long a link is valid. */
export const linkMs = 2 * hourMs;

/** In 24 hours. */
export const maxPerTicket = 20;

export function createInvite(deps: ExpertDeps): InviteExpert {
  const isOngoing = createIsOngoing(deps);
  const { db, clock, ids, tickets, baseUrl } = deps;
  return async (scope, ticketId, order) => {
    const { enterpriseId } = await requireAgent(deps, scope, ticketId);
    return inTransaction(db, async (trx) => {
      const ticket = await tickets.lock(trx, { enterpriseId, ticketId });
      if (ticket === undefined) {
        throw roomClosed("deleted");
      }
      const at = clock.now();
      if (tickets.isOver(requireAgentOf(ticket, scope), at)) {
        throw roomClosed(ticket.state);
      }
      await requireCall(trx, ticket, isOngoing);
      await requirePlace(trx, ticket, at);
      const colleague = await findInvited(deps, trx, scope, order);
      const secret = ids.base62(22);
      const contact = contactOf(order, colleague);
      const expert = {
        ...{ id: ids.uuid(), enterpriseId, ticketId, userId: colleague?.id ?? null },
        // The agent sees what they entered, and no address of a colleague.
        contact: colleague === undefined ? (contact.email ?? contact.phone) : null,
        name: colleague === undefined ? order.name : truncate(colleague.displayName, 128) || null,
        createdAt: at,
        expiresAt: new Date(at.getTime() + linkMs),
        createdBy: scope.userId,
      };
      await insertExpert(trx, { ...expert, secret });
      const link = `${baseUrl}/x/${secret}`;
      const channels = await send(deps, trx, {
        ticket,
        expert,
        link,
        contact,
        language: order.language,
      });
      return { expert, link, channels };
    });
  };
}

async function requireCall(trx: Trx, ticket: GuestTicket, isOngoing: IsOngoing): Promise<void> {
  if (!(await isOngoing(trx, ticket))) {
    throw problem("conflict", "Experts can be invited only during a call.");
  }
}

async function requirePlace(trx: Trx, { enterpriseId, id }: GuestTicket, at: Date): Promise<void> {
  const ref = { enterpriseId, ticketId: id };
  const since = new Date(at.getTime() - 24 * hourMs);
  const earlier = await listExperts(trx, ref, { since, limit: maxPerTicket });
  if (earlier.length >= maxPerTicket) {
    throw problem("conflict", `${maxPerTicket} experts were invited within 24 hours.`);
  }
}

/** Undefined: somebody from outside. */
async function findInvited(
  { findColleague }: ExpertDeps,
  trx: Trx,
  scope: Scope,
  { userId }: ExpertOrder,
): Promise<DirectoryUser | undefined> {
  if (userId === undefined) {
    return undefined;
  }
  const colleague = await findColleague(trx, scope, userId);
  if (colleague === undefined) {
    const text = "The user_id field is invalid: your directory has no such colleague.";
    throw invalidParameter("user_id", "unknown", text);
  }
  return colleague;
}

type Sending = Readonly<{
  ticket: GuestTicket;
  expert: ExpertInvitation & { createdBy: number };
  link: string;
  contact: Pick<ExpertOrder, "email" | "phone">;
  language: string | null;
}>;

/** Out: the channels. None for a colleague whose account has no email address. */
async function send(
  { invitations }: ExpertDeps,
  trx: Trx,
  { ticket, expert, link, contact, language }: Sending,
): Promise<string[]> {
  if (contact.email === null && contact.phone === null) {
    return [];
  }
  const sent = await invitations.inviteExpert(trx, {
    ...{ enterpriseId: ticket.enterpriseId, serviceId: ticket.serviceId, ticketId: ticket.id },
    ...{ ...contact, language },
    variables: {
      ...{ link, name: expert.name ?? "", subject: ticket.subject ?? "" },
      agentName: agentNameOf(ticket) || (ticket.agent?.login ?? ""),
    },
    createdBy: expert.createdBy,
    at: expert.createdAt,
  });
  return sent.map(({ channel }) => channel);
}

function contactOf(order: ExpertOrder, colleague: DirectoryUser | undefined) {
  if (colleague === undefined) {
    return { email: order.email, phone: order.phone };
  }
  return { email: colleague.person.email || null, phone: null };
}
