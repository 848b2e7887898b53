/**
 * In: tickets that are due, tasks. Out: the transition, the entry, the message.
 * Guarantee: a ticket expires once. `tickets.ages_at` holds the due time, or an earlier one if only
 * a change put it off: `updateTicket`. A task only triggers a check under the ticket's lock: lost tasks are planned again,
 * duplicate tasks do nothing.
 * On crash: nothing of the step is committed, or all of it.
 */
import type { TimelineEvent } from "../contracts/session-events.ts";
import type { TicketState } from "../contracts/events.ts";
import { type Trx, rowsOf } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { RunningTask, TaskHandlers, TaskOutcome } from "../platform/tasks/task.ts";
import { lockTicketOf } from "./store.ts";
import { agentEvent, toTimelineEntry, requestorEvent, createTicketWriter } from "./writer.ts";
import { toInvitationMessage, reminderDueAt } from "./invite.ts";
import { entryAgentOf, expiresAt, type Ticket, type TicketDeps, type WriterDeps } from "./model.ts";
import { transition } from "../contracts/tickets.ts";

export type TicketTimerDeps = WriterDeps &
  Pick<TicketDeps, "db" | "directory" | "invitations" | "ssoTokens" | "baseUrl">;

const done: TaskOutcome = { kind: "done" };

type TicketTaskWork = (trx: Trx, ticket: Ticket, at: Date) => Promise<TaskOutcome>;

/** Task handlers of tickets. */
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

/** Locks the ticket of a task; done if it does not exist. */
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
      // Otherwise every pass would find rows whose due time was put off, or written by an older rule.
      await updateExpiry(trx, ticket, dueAt);
      return done;
    }
    const { event, ...update } = expiryOutcomeOf(ticket);
    await save(trx, ticket, { ...update, at }, () => [toTimelineEntry(ticket, event, at)]);
    if (update.state === "closed") {
      const { enterpriseId, id: ticketId } = ticket;
      await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId });
    }
    return done;
  };
}

/** Corrects the due time of a locked ticket. No event: the ticket itself does not change. */
async function updateExpiry(
  trx: Trx,
  { id, enterpriseId }: Pick<Ticket, "id" | "enterpriseId">,
  agesAt: Date | null,
): Promise<void> {
  await rowsOf(trx, "UPDATE tickets SET ages_at = ? WHERE id = ? AND enterprise_id = ?", [
    agesAt,
    id,
    enterpriseId,
  ]);
}

const expired: TimelineEvent = {
  eventType: "ticket.invitationExpired",
  source: "system",
  attributes: {},
};

type ExpiryOutcome = { state: TicketState; event: TimelineEvent; closeReason?: "closed" };

function expiryOutcomeOf(ticket: Ticket): ExpiryOutcome {
  return transition(ticket.state, "expire").isAllowed
    ? { state: "expired", event: expired }
    : {
        state: "closed",
        closeReason: "closed",
        event: agentEvent("ticket.closed", entryAgentOf(ticket), "system"),
      };
}

/** The mark is committed with the message: a repeated task sends no second reminder. */
function createRemind({ directory, invitations, baseUrl }: TicketTimerDeps): TicketTaskWork {
  return async (trx, ticket, at) => {
    const { reminderMinutes: minutes } = await directory.findServiceRules(trx, ticket);
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

/** Marks a locked ticket as reminded of its planned start. False if it was marked already. */
async function markReminded(
  trx: Trx,
  { id, enterpriseId, startTime }: Pick<Ticket, "id" | "enterpriseId" | "startTime">,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `UPDATE tickets SET reminded_of = start_time
      WHERE id = ? AND enterprise_id = ? AND start_time = ?
        AND reminded_of IS DISTINCT FROM start_time RETURNING id`,
    [id, enterpriseId, startTime],
  );
  return rows.length > 0;
}

function ticketIdOf({ key }: RunningTask): number {
  return Number(key.slice("ticket:".length));
}

/** States in which unclicked invitations do not matter. */
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

/** Tickets per step. */
const batchSize = 500;

/** One bounded step of the schedule: plans the tasks of due tickets. Returns their number. */
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

type DueTicket = Readonly<{ id: number; enterpriseId: number }>;

/**
 * Locks due tickets without an open task, oldest first, at most `limit`. Skips rows that another
 * process has locked, so that no task is planned twice.
 */
async function lockDueTickets(
  trx: Trx,
  { at, limit }: { at: Date; limit: number },
): Promise<DueTicket[]> {
  const rows = await rowsOf<{ id: number; enterprise_id: number }>(
    trx,
    `SELECT t.id, t.enterprise_id FROM tickets t
      WHERE t.ages_at <= ? AND t.ages_at IS NOT NULL AND t.deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM tasks k WHERE k.kind = 'ticket.age'
          AND k.key = 'ticket:' || t.id AND k.state IN ('waiting', 'queued', 'running'))
      ORDER BY t.ages_at LIMIT ? FOR UPDATE OF t SKIP LOCKED`,
    [at, limit],
  );
  return rows.map((row) => ({ id: row.id, enterpriseId: row.enterprise_id }));
}

function taskKeyOf(ticketId: number): string {
  return `ticket:${ticketId}`;
}
