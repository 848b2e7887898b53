/**
 * In: an order of a ticket or conference, inside its transaction and under its row lock.
 * Out: messages, their invitations, and the tasks that check whether they were clicked.
 * Guarantee: an invitation exists exactly if its message does; nothing is sent before the commit.
 * On crash: as for messages.
 */
import { minuteMs, dayMs } from "../platform/clock.ts";
import type {
  Channel,
  TicketInvitationOrder,
  ConferenceInvitationOrder,
  TicketInvitation,
  ConferenceInvitation,
  SentNotice,
  TicketInvitations,
  ConferenceInvitations,
  ExpertInvitations,
  UnsendableRule,
} from "../contracts/invitations.ts";
import { problem } from "../contracts/problems.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import type { Tasks } from "../platform/tasks/task.ts";
import {
  composeMessages,
  conferenceDraft,
  expertDraft,
  ticketDraft,
  type ComposeDeps,
} from "./compose.ts";
import { optedOut } from "./model.ts";
import {
  countCalendars,
  countInvitations,
  findKnownOptOuts,
  findNotClickedMinutes,
  insertInvitation,
  markClicked,
  markNotClicked,
  type EarlierInvitations,
} from "./invitation-store.ts";
import type { QueuedMessage, QueueMessages, OverQuotaRule } from "./outgoing.ts";
import { requireTemplateOf } from "./templates/service.ts";

export type InvitationDeps = ComposeDeps &
  Readonly<{ queue: QueueMessages; tasks: Pick<Tasks, "plan"> }>;

export type Invitations = TicketInvitations<Queryable, Trx> &
  ConferenceInvitations<Trx> &
  ExpertInvitations<Trx> &
  Readonly<{ markClicked: typeof markClicked }>;

type InvitationDraft = Parameters<typeof composeMessages>[2];

const noCalendars = new Map<string, number>();

export function createInvitations(deps: InvitationDeps): Invitations {
  return {
    ...createTicketInvitations(deps),
    ...createConferenceInvitations(deps),
    inviteExpert: async (trx, order) => {
      const accepted = await queueDraft(trx, deps, expertDraft(order), { overQuota: "refuse" });
      if (accepted.length === 0) {
        throw problem("conflict", "The expert has opted out of messages.", { details: optedOut });
      }
      return accepted.map(toNotice);
    },
    markClicked,
    markNotClicked,
  };
}

function createTicketInvitations(deps: InvitationDeps) {
  const planNotClicked = async (
    trx: Trx,
    { enterpriseId, serviceId, ticketId, at }: TicketInvitationOrder,
    invitations: readonly TicketInvitation[],
  ): Promise<void> => {
    const minutes = await findNotClickedMinutes(trx, enterpriseId, serviceId);
    await deps.tasks.plan(
      trx,
      invitations.map(({ invitationId }) => ({
        kind: "invitation.notClicked",
        key: `invitation:${invitationId}`,
        enterpriseId,
        dueAt: new Date(at.getTime() + minutes * minuteMs),
        data: { invitationId, ticketId },
      })),
    );
  };

  return {
    inviteToTicket: async (trx: Trx, order: TicketInvitationOrder): Promise<TicketInvitation[]> => {
      const { enterpriseId, ticketId, at } = order;
      const subject = { enterpriseId, ticketId, conferenceId: null };
      const sequences = await countCalendars(trx, subject);
      const draft = ticketDraft(order, { kind: "ticket", sequences });
      const earlier = await countInvitations(trx, subject, new Date(at.getTime() - dayMs));
      checkResend(
        earlier,
        draft.to.map(({ channel }) => channel),
        at,
      );
      const accepted = await queueDraft(trx, deps, draft, { overQuota: "refuse" });
      requireAccepted(accepted);
      const created: TicketInvitation[] = [];
      for (const { id: messageId, channel } of accepted) {
        const invitationId = await insertInvitation(trx, subject, { messageId, channel, at });
        const isFirst = !earlier.some((one) => one.channel === channel);
        created.push({ invitationId, channel, isFirst });
      }
      await planNotClicked(trx, order, created);
      return created;
    },
    requireTicketTemplate: (db: Queryable, enterpriseId: number, templateId: number) =>
      requireTemplateOf(db, { enterpriseId, kind: "ticket" }, templateId),
    remindTicket: (trx: Trx, order: TicketInvitationOrder): Promise<SentNotice[]> =>
      notify(trx, deps, ticketDraft(order, { kind: "reminder", sequences: noCalendars })),
  };
}

const minResendIntervalMs = minuteMs;

const maxPerDay = 5;

function checkResend(
  earlier: readonly EarlierInvitations[],
  channels: readonly Channel[],
  at: Date,
): void {
  for (const { channel, recent, lastAt } of earlier) {
    if (!channels.includes(channel)) {
      continue;
    }
    if (at.getTime() - lastAt.getTime() < minResendIntervalMs) {
      const detail = `An invitation by ${channel} was sent less than 60 seconds ago.`;
      throw problem("conflict", detail, { details: "Invitation too soon" });
    }
    if (recent >= maxPerDay) {
      const detail = `${maxPerDay} invitations by ${channel} were sent within 24 hours.`;
      throw problem("conflict", detail, { details: "Invitation limit" });
    }
  }
}

function createConferenceInvitations(deps: InvitationDeps) {
  return {
    inviteToConference: async (
      trx: Trx,
      order: ConferenceInvitationOrder,
      { unsendable }: UnsendableRule,
    ): Promise<ConferenceInvitation[]> => {
      const { enterpriseId, conferenceId, at } = order;
      const subject = { enterpriseId, ticketId: null, conferenceId };
      const sequences = await countCalendars(trx, subject);
      const whole = conferenceDraft(order, { kind: "conference", sequences });
      const known = unsendable === "fail" ? await findKnownOptOuts(trx, subject) : undefined;
      const draft = { ...whole, to: whole.to.filter(({ recipient }) => !known?.has(recipient)) };
      const accepted = await queueDraft(trx, deps, draft, { overQuota: unsendable });
      if (unsendable === "refuse") {
        requireAccepted(accepted);
      }
      const created: ConferenceInvitation[] = [];
      for (const { id: messageId, channel, recipient } of accepted) {
        const invitationId = await insertInvitation(trx, subject, { messageId, channel, at });
        created.push({ invitationId, channel, recipient });
      }
      return created;
    },
    remindConference: (trx: Trx, order: ConferenceInvitationOrder): Promise<SentNotice[]> =>
      notify(trx, deps, conferenceDraft(order, { kind: "reminder", sequences: noCalendars })),
    cancelConference: async (trx: Trx, order: ConferenceInvitationOrder): Promise<SentNotice[]> => {
      const { enterpriseId, conferenceId } = order;
      const sequences = await countCalendars(trx, { enterpriseId, ticketId: null, conferenceId });
      return notify(trx, deps, conferenceDraft(order, { kind: "cancel", sequences }));
    },
  };
}

function requireAccepted(accepted: readonly QueuedMessage[]): void {
  if (accepted.length === 0) {
    const detail = "The customer has opted out of messages on all of these channels.";
    throw problem("conflict", detail, { details: optedOut });
  }
}

/** A notice must not fail the use case: messages over the quota are stored as failed. */
async function notify(
  trx: Trx,
  deps: InvitationDeps,
  draft: InvitationDraft,
): Promise<SentNotice[]> {
  const accepted = await queueDraft(trx, deps, draft, { overQuota: "fail" });
  return accepted.map(toNotice);
}

function toNotice({ id, channel, recipient }: QueuedMessage): SentNotice {
  return { messageId: id, channel, recipient };
}

async function queueDraft(
  trx: Trx,
  deps: InvitationDeps,
  draft: InvitationDraft,
  rule: OverQuotaRule,
): Promise<QueuedMessage[]> {
  const queued = await deps.queue(trx, await composeMessages(trx, deps, draft), rule);
  return queued.filter(({ isAccepted }) => isAccepted);
}
