/**
 * In: tickets whose time has come, tasks. Out: the move, the entry, the message.
 * Guarantee: a ticket ages once. What is due stands in `tickets.ages_at`, which every write of a
 * ticket keeps right; a task only says when to look, and looks under the ticket's lock. So a task
 * that is lost or fails is planned again by the next pass (the ticket is still due), one that comes
 * twice or too late finds nothing to do, and a ticket whose task is open is passed over, so tasks do
 * not pile up.
 * On crash: nothing of the step is committed, or all of it.
 */
import type { TicketState } from "../contracts/events.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import type { RunningTask, TaskHandlers, TaskOutcome } from "../platform/tasks/task.ts";
import { lockDueTickets, markReminded, writeAgesAt } from "./age-store.ts";
import { agentHappening, entryOf, requestorHappening, type Happening } from "./events.ts";
import { messageOf, reminderDueAt } from "./invite.ts";
import { agesAt, move } from "./model.ts";
import type { TicketDeps, WriterDeps } from "./ports.ts";
import { lockTicketOf } from "./store.ts";
import { agentPerson, type Ticket } from "./ticket.ts";
import { createTicketWriter } from "./writer.ts";

export type TicketTimerDeps = WriterDeps &
  Pick<TicketDeps, "db" | "directory" | "invitations" | "ssoTokens" | "baseUrl">;

const done: TaskOutcome = { kind: "done" };

type Work = (trx: Trx, ticket: Ticket, at: Date) => Promise<TaskOutcome>;

/** Handlers of the tasks of tickets. */
export function createTicketTimers(deps: TicketTimerDeps): TaskHandlers {
  const withTicket = createFrame(deps);
  const age = createAge(deps);
  const remind = createRemind(deps);
  return {
    "ticket.age": (task) => withTicket(task.enterpriseId, ticketIdOf(task), age),
    "ticket.reminder": (task) => withTicket(task.enterpriseId, ticketIdOf(task), remind),
    "invitation.notClicked": ({ enterpriseId, data }) => {
      const markNotClicked = createNotClicked(deps, Number(data["invitationId"]));
      return withTicket(enterpriseId, Number(data["ticketId"]), markNotClicked);
    },
  };
}

/** The ticket of a task, locked; done where it is gone. */
function createFrame({ db, clock }: TicketTimerDeps) {
  return (enterpriseId: number, ticketId: number, work: Work): Promise<TaskOutcome> =>
    inTransaction(db, async (trx) => {
      const ticket = await lockTicketOf(trx, { enterpriseId, ticketId });
      return ticket === undefined ? done : work(trx, ticket, clock.now());
    });
}

function createAge(deps: TicketTimerDeps): Work {
  const { save } = createTicketWriter(deps);
  return async (trx, ticket, at) => {
    const dueAt = agesAt(ticket);
    if (dueAt === null || dueAt > at) {
      // Else a row that an older rule wrote would be found due by every pass.
      await writeAgesAt(trx, ticket, dueAt);
      return done;
    }
    const { happening, ...update } = ageingOf(ticket);
    await save(trx, ticket, { ...update, at }, () => [entryOf(ticket, happening, at)]);
    if (update.state === "closed") {
      const { enterpriseId, id: ticketId } = ticket;
      await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId });
    }
    return done;
  };
}

const expired: Happening = {
  eventType: "ticket.invitationExpired",
  source: "system",
  attributes: {},
};

type Ageing = { state: TicketState; happening: Happening; closeReason?: "closed" };

function ageingOf(ticket: Ticket): Ageing {
  return move(ticket.state, "expire").isAllowed
    ? { state: "expired", happening: expired }
    : {
        state: "closed",
        closeReason: "closed",
        happening: agentHappening("ticket.closed", agentPerson(ticket), "system"),
      };
}

/** The mark is written with the message: a task that comes again reminds of nothing twice. */
function createRemind({ directory, invitations, baseUrl }: TicketTimerDeps): Work {
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
      await invitations.remindTicket(trx, messageOf(ticket, { baseUrl, createdBy: null, at }));
    }
    return done;
  };
}

function ticketIdOf({ key }: RunningTask): number {
  return Number(key.slice("ticket:".length));
}

/** Whose click nobody waits for any more. */
const noClickWanted: readonly TicketState[] = ["closed", "rejected"];

function createNotClicked(deps: TicketTimerDeps, invitationId: number): Work {
  const { tell } = createTicketWriter(deps);
  return async (trx, ticket, at) => {
    if (noClickWanted.includes(ticket.state)) {
      return done;
    }
    const { enterpriseId } = ticket;
    const order = { enterpriseId, invitationId, at };
    if ((await deps.invitations.markNotClicked(trx, order)) !== undefined) {
      const notClicked = requestorHappening(ticket, "ticket.invitationNotclicked", "system");
      await tell(trx, ticket, [notClicked], at);
    }
    return done;
  };
}

/** Tickets of one step. */
const batchSize = 500;

/** One bounded step of the schedule: plans the tasks of tickets that are due. Out: how many. */
export function planAgeing({
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
          key: keyOf(id),
          enterpriseId,
          dueAt,
        })),
      );
    }
    return due.length;
  });
}

function keyOf(ticketId: number): string {
  return `ticket:${ticketId}`;
}
