/** Who may do what with experts: the agent of a ticket invites, and a link opens its call. */
import type { DirectoryUser } from "../../contracts/directory.ts";
import type { ExpertInvitations } from "../../contracts/invitations.ts";
import type { Scope } from "../../contracts/permissions.ts";
import { problem } from "../../contracts/problems.ts";
import { type AdmissionKey, type AdmissionState, expertId } from "../../contracts/rooms.ts";
import type { LinkEnd } from "../../contracts/tickets.ts";
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import type { Ids } from "../../platform/ids.ts";
import { agentNameOf } from "../links.ts";
import type { GuestDeps, GuestTicket } from "../ports.ts";
import { findGuestService, type GuestService } from "../survey.ts";
import { type ExpertInvitation, findExpertBySecret } from "./store.ts";

export type ExpertDeps = Omit<GuestDeps, "ids" | "markClicked"> &
  Readonly<{
    ids: Pick<Ids, "uuid" | "base62">;
    invitations: ExpertInvitations<Trx>;
    /** An active user of the enterprise whom the caller sees in the directory. */
    findColleague(db: Queryable, scope: Scope, userId: number): Promise<DirectoryUser | undefined>;
    findUser(
      db: Queryable,
      enterpriseId: number,
      userId: number,
    ): Promise<DirectoryUser | undefined>;
    findAdmissions(keys: readonly AdmissionKey[]): Promise<AdmissionState[]>;
  }>;

/** What the page of a link shows before the expert enters. */
type OpenedExpertLink = Readonly<{
  expert: ExpertInvitation;
  ticket: GuestTicket;
  service: GuestService;
  isOngoing: boolean;
}>;

/** 404 for unknown links, 410 for those that are no longer valid. Changes nothing. */
export type OpenExpertLink = (secret: string) => Promise<OpenedExpertLink>;

/** Whether people are in the call of the ticket. */
export type IsOngoing = (db: Queryable, ticket: GuestTicket) => Promise<boolean>;

/** 403 unless the caller is the ticket's agent. */
export async function requireAgent(
  { getTicket }: ExpertDeps,
  scope: Scope,
  ticketId: number,
): Promise<GuestTicket> {
  return requireAgentOf(await getTicket(scope, ticketId), scope);
}

/** The same of a ticket that is read or locked already. */
export function requireAgentOf(ticket: GuestTicket, { userId }: Scope): GuestTicket {
  if (ticket.agent?.id !== userId) {
    throw problem("forbidden", "Only the ticket's agent invites experts. Take the ticket first.");
  }
  return ticket;
}

export function createOpen(deps: ExpertDeps): OpenExpertLink {
  const { db, clock, tickets } = deps;
  const isOngoing = createIsOngoing(deps);
  const endOf = async (
    expert: ExpertInvitation,
    ticket: GuestTicket,
  ): Promise<LinkEnd | "removed" | undefined> => {
    const at = clock.now();
    const end = tickets.linkEndOf(ticket, at) ?? (expert.expiresAt <= at ? "expired" : undefined);
    if (end !== undefined) {
      return end;
    }
    const [state] = await deps.findAdmissions([admissionKeyOf(expert, ticket)]);
    return state === "denied" || !(await isAccountActive(deps, expert)) ? "removed" : undefined;
  };
  return async (secret) => {
    const expert = await findExpertBySecret(db, secret);
    if (expert === undefined) {
      throw problem("not_found", "The link was not found.");
    }
    const ticket = await tickets.find(db, expert);
    const service = ticket && (await findGuestService(db, ticket));
    if (ticket === undefined || service === undefined) {
      throw gone("deleted");
    }
    const end = await endOf(expert, ticket);
    if (end !== undefined) {
      throw gone(end);
    }
    return { expert, ticket, service, isOngoing: await isOngoing(db, ticket) };
  };
}

/** Whether the account of an invited colleague is still active. */
export async function isAccountActive(
  { db, findUser }: Pick<ExpertDeps, "db" | "findUser">,
  { enterpriseId, userId }: ExpertInvitation,
): Promise<boolean> {
  return userId === null || (await findUser(db, enterpriseId, userId)) !== undefined;
}

function gone(end: LinkEnd | "removed"): Error {
  return problem("gone", "This link is no longer valid.", { details: `Reason ${end}` });
}

export function createIsOngoing({ findLatestSession }: ExpertDeps): IsOngoing {
  return async (db, ticket) => (await findLatestSession(db, ticket))?.endedAt === null;
}

export function admissionKeyOf(
  { id, enterpriseId }: ExpertInvitation,
  { conversationId }: GuestTicket,
): AdmissionKey {
  return { enterpriseId, conversationId, participant: expertId(id) };
}

/** What the page of a link shows before the expert enters: of the ticket, its subject and agent. */
export function presentExpertCall({ expert, ticket, service, isOngoing }: OpenedExpertLink) {
  return {
    name: ticket.subject ?? "",
    status: isOngoing ? "ongoing" : "scheduled",
    start_time: null,
    organizer: agentNameOf(ticket),
    is_password_required: false,
    is_locked: false,
    account: null,
    expert: { name: expert.name, enterprise: service.enterpriseName },
  };
}
