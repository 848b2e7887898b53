/** A ticket as the subject of a room: implements `RoomSubject`. */
import type { SubjectRef, ParticipantLeave, SessionEnd, RoomSubject } from "../contracts/rooms.ts";
import type { SessionEventSource, TimelineEvent } from "../contracts/session-events.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import {
  agentEvent,
  toTimelineEntry,
  requestorEvent,
  createTicketWriter,
  type TicketWriter,
} from "./writer.ts";
import {
  entryAgentOf,
  isOver,
  type Ticket,
  type TicketDirectory,
  type WriterDeps,
} from "./model.ts";
import { transition } from "../contracts/tickets.ts";
import { lockTicketOf } from "./store.ts";

export type TicketRoomDeps = WriterDeps &
  Readonly<{ directory: Pick<TicketDirectory, "findUser"> }>;

export function createTicketRoom(deps: TicketRoomDeps): RoomSubject<Trx> {
  const writer = createTicketWriter(deps);
  const startSession = createSessionStart(writer);
  const end = createSessionEnd(deps, writer);

  const withTicket = async (
    trx: Trx,
    ref: SubjectRef,
    work: (ticket: Ticket) => Promise<void>,
  ): Promise<void> => {
    const ticket = await lockSubject(trx, ref);
    if (ticket !== undefined) {
      await work(ticket);
    }
  };

  return {
    lock: async (trx, ref) => {
      const ticket = await lockSubject(trx, ref);
      return (
        ticket && {
          conversationId: ticket.conversationId,
          isOver: isOver(ticket, deps.clock.now()),
        }
      );
    },
    // A customer alone in the room does not change the ticket.
    sessionStarted: async () => undefined,
    agentContacted: (trx, ref, at) =>
      withTicket(trx, ref, (ticket) => {
        const agent = entryAgentOf(ticket);
        return writer.writeTimeline(
          trx,
          ticket,
          [agentEvent("session.agentContacted", agent, "system")],
          at,
        );
      }),
    bothPresent: (trx, ref, at) => withTicket(trx, ref, (ticket) => startSession(trx, ticket, at)),
    established: (trx, ref, at) =>
      withTicket(trx, ref, (ticket) =>
        writer.writeTimeline(
          trx,
          ticket,
          [requestorEvent(ticket, "session.established", "system")],
          at,
        ),
      ),
    participantLeft: (trx, ref, leave) =>
      withTicket(trx, ref, async (ticket) => {
        // The timeline is about the agent and the customer; the session counts the experts.
        if (leave.role !== "expert") {
          const event = await toLeaveEvent(trx, deps.directory, ticket, leave);
          await writer.writeTimeline(trx, ticket, [event], leave.at);
        }
      }),
    sessionEnded: (trx, ref, sessionEnd) =>
      withTicket(trx, ref, (ticket) => end(trx, ticket, sessionEnd)),
  };
}

const sessionStarted: TimelineEvent = {
  eventType: "ticket.sessionStarted",
  source: "system",
  attributes: {},
};

function createSessionStart({ save, writeTimeline }: TicketWriter) {
  return async (trx: Trx, ticket: Ticket, at: Date): Promise<void> => {
    const { isAllowed } = transition(ticket.state, "start");
    if (isAllowed) {
      const entries = [toTimelineEntry(ticket, sessionStarted, at)];
      await save(trx, ticket, { state: "inprogress", at }, () => entries);
    } else if (ticket.state === "inprogress") {
      await writeTimeline(trx, ticket, [sessionStarted], at);
    }
  };
}

/** A ticket that its agent closed or cancelled left `inprogress` before its room ended. */
function createSessionEnd({ clock }: TicketRoomDeps, { save }: TicketWriter) {
  return async (trx: Trx, ticket: Ticket, { cause, wasEstablished }: SessionEnd): Promise<void> => {
    if (ticket.state !== "inprogress") {
      return;
    }
    // Not the time of the last leave: the ticket may have been changed since.
    const at = clock.now();
    // An agent who ends the session completes the ticket, even if no connection was established.
    if (!wasEstablished && cause !== "ended") {
      await save(trx, ticket, { state: "invited", at }, () => []);
      return;
    }
    const source: SessionEventSource = cause === "ended" ? "agent" : "system";
    const completed = agentEvent("ticket.completed", entryAgentOf(ticket), source);
    await save(trx, ticket, { state: "done", at }, () => [toTimelineEntry(ticket, completed, at)]);
  };
}

function lockSubject(
  trx: Trx,
  { kind, enterpriseId, id }: SubjectRef,
): Promise<Ticket | undefined> {
  return kind === "ticket"
    ? lockTicketOf(trx, { enterpriseId, ticketId: id })
    : Promise.resolve(undefined);
}

/** A former agent may still be in the room: the entry names the person who left. */
async function toLeaveEvent(
  db: Queryable,
  directory: TicketRoomDeps["directory"],
  ticket: Ticket,
  { role, userId }: ParticipantLeave,
): Promise<TimelineEvent> {
  if (role === "requestor") {
    return requestorEvent(ticket, "session.userLeft", "guest");
  }
  const isFormer = userId !== null && userId !== ticket.agent?.id;
  const former = isFormer ? await directory.findUser(db, ticket.enterpriseId, userId) : undefined;
  return agentEvent("session.agentLeft", former ?? entryAgentOf(ticket));
}
