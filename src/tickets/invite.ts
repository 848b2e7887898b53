/** Invitations of a customer: messages, timeline entries, reminder. */
import type { TimelineEntry } from "../contracts/session-events.ts";
import { type Channel, type TicketInvitationOrder, channels } from "../contracts/invitations.ts";
import type { Scope } from "../contracts/permissions.ts";
import { invalidParameter } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import {
  toTimelineEntry,
  requestorEvent,
  createLockedTickets,
  requireNextState,
} from "./writer.ts";
import type { InvitationChoice } from "./schema.ts";
import type { Ticket, TicketDeps } from "./model.ts";

const contactFieldOf = { email: "email", sms: "phone" } as const;

type InviteOrder = InvitationChoice & { createdBy: number; at: Date };

export type Inviter = {
  /** Stores the messages. Out: one timeline entry per channel. */
  invite(trx: Trx, ticket: Ticket, order: InviteOrder): Promise<TimelineEntry[]>;
  /** Plans the reminder if the start is far enough ahead. */
  planReminder(
    trx: Trx,
    ticket: Ticket,
    reminder: { minutes: number | null; at: Date },
  ): Promise<void>;
};

export type InviteTicket = (scope: Scope, id: number, choice: InvitationChoice) => Promise<Ticket>;

/** Invites again and restarts the validity. */
export function createTicketInvitation(deps: TicketDeps): InviteTicket {
  const { withTicket, save } = createLockedTickets(deps);
  const inviter = createInviter(deps);
  return (scope, id, choice) =>
    withTicket(scope, id, async (trx, ticket) => {
      const state = requireNextState(ticket, "invite");
      const at = deps.clock.now();
      const { reminderMinutes: minutes } = await deps.directory.findServiceRules(trx, ticket);
      const entries = await inviter.invite(trx, ticket, {
        ...choice,
        createdBy: scope.userId,
        at,
      });
      const after = await save(trx, ticket, { state, at, lastInvitedAt: at }, () => entries);
      await inviter.planReminder(trx, after, { minutes, at });
      return after;
    });
}

export function createInviter({
  invitations,
  tasks,
  baseUrl,
}: Pick<TicketDeps, "invitations" | "tasks" | "baseUrl">): Inviter {
  return {
    invite: async (trx, ticket, order) => {
      const sent = await invitations.inviteToTicket(
        trx,
        toInvitationMessage(ticket, { ...order, baseUrl }),
      );
      return sent.map(({ isFirst }) => {
        const eventType = isFirst ? "ticket.invitationSent" : "ticket.invitationResent";
        return toTimelineEntry(ticket, requestorEvent(ticket, eventType, "agent"), order.at);
      });
    },
    planReminder: async (trx, ticket, { minutes, at }) => {
      if (minutes === null || ticket.state !== "invited") {
        return;
      }
      const dueAt = reminderDueAt(ticket, minutes);
      if (dueAt > at) {
        const { id, enterpriseId } = ticket;
        await tasks.plan(trx, [
          { kind: "ticket.reminder", key: `ticket:${id}`, enterpriseId, dueAt },
        ]);
      }
    },
  };
}

/** The order of an invitation or a reminder. */
export function toInvitationMessage(
  ticket: Ticket,
  order: InvitationChoice & { baseUrl: string; createdBy: number | null; at: Date },
): TicketInvitationOrder {
  return {
    enterpriseId: ticket.enterpriseId,
    serviceId: ticket.serviceId,
    ticketId: ticket.id,
    channels: chosenChannels(ticket, order.channels),
    email: ticket.requestor.email,
    phone: ticket.requestor.phone,
    languages: { asked: order.language ?? null, requestor: ticket.language },
    templateId: order.templateId ?? ticket.templateId,
    isTemplateOptional: order.templateId === undefined,
    variables: {
      link: `${order.baseUrl}/v/${ticket.requestorSecret}`,
      informationLink: `${order.baseUrl}/i/${ticket.informationCode}`,
      firstname: ticket.requestor.firstname,
      lastname: ticket.requestor.lastname,
      name: ticket.name,
      agentName: agentNameOf(ticket),
      subject: ticket.subject,
      reference: ticket.reference,
      startTime: ticket.startTime,
      endTime: ticket.endTime,
      isPlanned: ticket.startTime > order.at,
    },
    createdBy: order.createdBy,
    at: order.at,
  };
}

function chosenChannels(ticket: Ticket, wanted: readonly Channel[] | undefined): Channel[] {
  const reachable = reachableChannels(ticket);
  const missing = wanted?.find((channel) => !reachable.includes(channel));
  if (missing !== undefined) {
    throw invalidParameter(
      "channels",
      "no_contact",
      `The customer has no ${contactFieldOf[missing]} for the invitation.`,
    );
  }
  return wanted === undefined ? reachable : reachable.filter((one) => wanted.includes(one));
}

/** Channels with a contact. */
function reachableChannels({ requestor }: Ticket): Channel[] {
  return channels.filter((channel) => requestor[contactFieldOf[channel]] !== null);
}

/** First and last name, else the login. */
function agentNameOf({ agent }: Ticket): string {
  const { firstname = "", lastname = "" } = agent?.person ?? {};
  const name = `${firstname} ${lastname}`.trim();
  return name === "" ? (agent?.login ?? "") : name;
}

export function reminderDueAt({ startTime }: Ticket, minutes: number): Date {
  return new Date(startTime.getTime() - minutes * 60_000);
}
