/**
 * In: tickets whose time has come, tasks. Out: the move, the entry, the message.
 * Guarantee: a ticket ages once. What is due stands in `tickets.ages_at`, which every write of a
 * ticket keeps right; a task only says when to look, and looks under the ticket's lock. So a task
 * that is lost or fails is planned again by the next pass (the ticket is still due), one that comes
 * twice or too late finds nothing to do, and a ticket whose task is open is passed over, so tasks do
 * not pile up.
 * On crash: nothing of the step is committed, or all of it.
 */
import type { TimelineEvent } from "../contracts/session-events.ts";
import type { TicketState } from "../contracts/events.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import type { RunningTask, TaskHandlers, TaskOutcome } from "../platform/tasks/task.ts";
import { lockDueTickets, markReminded, updateExpiry, lockTicketOf } from "./store.ts";
import { agentEvent, toTimelineEntry, requestorEvent } from "./events.ts";
import { toInvitationMessage, reminderDueAt } from "./invite.ts";
import { expiresAt, transition, agentPerson, type Ticket } from "./model.ts";
import type { TicketDeps, WriterDeps } from "./ports.ts";
import { createTicketWriter } from "./writer.ts";

export type TicketTimerDeps = WriterDeps &
  Pick<TicketDeps, "db" | "directory" | "invitations" | "ssoTokens" | "baseUrl">;

const done: TaskOutcome = { kind: "done" };

type TicketTaskWork = (trx: Trx, ticket: Ticket, at: Date) => Promise<TaskOutcome>;

/** Handlers of the tasks of tickets. */
export function createTicketTimers(deps: TicketTimerDeps): TaskHandlers {
  const withTicket = createWithTicket(deps);
  const expire = createExpire(deps);
  const remind = createRemind(deps);
  return {
    "ticket.age": (task) => withTicket(task.enterpriseId, ticketIdOf(task), expire),
    "ticket.reminder": (task) => withTicket(task.enterpriseId, ticketIdOf(task), remind),
    "invitation.notClicked": ({ enterpriseId, data }) => {
      const markNotClicked = createNotClicked(deps, Number(data["invitationId"]));
      return withTicket(enterpriseId, Number(data["ticketId"]), markNotClicked);
    },
  };
}

/** The ticket of a task, locked; done where it is gone. */
function createWithTicket({ db, clock }: TicketTimerDeps) {
  return (enterpriseId: number, ticketId: number, work: TicketTaskWork): Promise<TaskOutcome> =>
    inTransaction(db, async (trx) => {
      const ticket = await lockTicketOf(trx, { enterpriseId, ticketId });
      return ticket === undefined ? done : work(trx, ticket, clock.now());
    });
}

function createExpire(deps: TicketTimerDeps): TicketTaskWork {
  const { save } = createTicketWriter(deps);
  return async (trx, ticket, at) => {
    const dueAt = expiresAt(ticket);
    if (dueAt === null || dueAt > at) {
      // Else a row that an older rule wrote would be found due by every pass.
      await updateExpiry(trx, ticket, dueAt);
      return done;
    }
    const { happening: event, ...update } = expiryOutcomeOf(ticket);
    await save(trx, ticket, { ...update, at }, () => [toTimelineEntry(ticket, event, at)]);
    if (update.state === "closed") {
      const { enterpriseId, id: ticketId } = ticket;
      await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId });
    }
    return done;
  };
}

const expired: TimelineEvent = {
  eventType: "ticket.invitationExpired",
  source: "system",
  attributes: {},
};

type ExpiryOutcome = { state: TicketState; happening: TimelineEvent; closeReason?: "closed" };

function expiryOutcomeOf(ticket: Ticket): ExpiryOutcome {
  return transition(ticket.state, "expire").isAllowed
    ? { state: "expired", happening: expired }
    : {
        state: "closed",
        closeReason: "closed",
        happening: agentEvent("ticket.closed", agentPerson(ticket), "system"),
      };
}

/** The mark is written with the message: a task that comes again reminds of nothing twice. */
function createRemind({ directory, invitations, baseUrl }: TicketTimerDeps): TicketTaskWork {
  return async (trx, ticket, at) => {
    const { enterpriseId, serviceKey } = ticket;
    const service = await directory.findServiceForTickets(trx, enterpriseId, serviceKey);
    const minutes = service?.reminderMinutes ?? null;
    if (minutes === null || ticket.state !== "invited" || ticket.startTime <= at) {
      return done;
    }
    const dueAt = reminderDueAt(ticket, minutes);
    if (dueAt > at) {
      return { kind: "again", dueAt, reason: "the ticket was moved to a later time" };
    }
    if (await markReminded(trx, ticket)) {
      await invitations.remindTicket(
        trx,
        toInvitationMessage(ticket, { baseUrl, createdBy: null, at }),
      );
    }
    return done;
  };
}

function ticketIdOf({ key }: RunningTask): number {
  return Number(key.slice("ticket:".length));
}

/** Whose click nobody waits for any more. */
const statesWithoutClick: readonly TicketState[] = ["closed", "rejected"];

function createNotClicked(deps: TicketTimerDeps, invitationId: number): TicketTaskWork {
  const { writeTimeline } = createTicketWriter(deps);
  return async (trx, ticket, at) => {
    if (statesWithoutClick.includes(ticket.state)) {
      return done;
    }
    const { enterpriseId } = ticket;
    const order = { enterpriseId, invitationId, at };
    if ((await deps.invitations.markNotClicked(trx, order)) !== undefined) {
      const notClicked = requestorEvent(ticket, "ticket.invitationNotclicked", "system");
      await writeTimeline(trx, ticket, [notClicked], at);
    }
    return done;
  };
}

/** Tickets of one step. */
const batchSize = 500;

/** One bounded step of the schedule: plans the tasks of tickets that are due. Out: how many. */
export function planExpiry({
  db,
  clock,
  tasks,
}: Pick<TicketDeps, "db" | "clock" | "tasks">): Promise<number> {
  return inTransaction(db, async (trx) => {
    const dueAt = clock.now();
    const due = await lockDueTickets(trx, { at: dueAt, limit: batchSize });
    if (due.length > 0) {
      await tasks.plan(
        trx,
        due.map(({ id, enterpriseId }) => ({
          kind: "ticket.age",
          key: taskKeyOf(id),
          enterpriseId,
          dueAt,
        })),
      );
    }
    return due.length;
  });
}

function taskKeyOf(ticketId: number): string {
  return `ticket:${ticketId}`;
}
