/** What a ticket does when things happen in its room. */
import type { SessionEventSource } from "../contracts/session-events.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { agentHappening, entryOf, requestorHappening, type Happening } from "./events.ts";
import { isOver, move } from "./model.ts";
import type { Directory, WriterDeps } from "./ports.ts";
import { lockTicketOf } from "./store.ts";
import { agentPerson, type Ticket } from "./ticket.ts";
import { createTicketWriter, type TicketWriter } from "./writer.ts";

type SubjectRef = Readonly<{ kind: "ticket" | "conference"; enterpriseId: number; id: number }>;

type Leave = Readonly<{
  role: "agent" | "requestor" | "organizer" | "moderator" | "participant";
  userId: number | null;
  at: Date;
}>;

type SessionEnd = Readonly<{
  cause: "empty" | "ended" | "limit" | "crash";
  wasEstablished: boolean;
  at: Date;
}>;

export type TicketRoomDeps = WriterDeps & Readonly<{ directory: Pick<Directory, "findUser"> }>;

type RoomSubject = {
  lock(
    trx: Trx,
    ref: SubjectRef,
  ): Promise<Readonly<{ conversationId: number; isOver: boolean }> | undefined>;
  sessionStarted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  agentContacted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  met(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  established(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  left(trx: Trx, ref: SubjectRef, leave: Leave): Promise<void>;
  sessionOver(trx: Trx, ref: SubjectRef, end: SessionEnd): Promise<void>;
};

export function createTicketRoom(deps: TicketRoomDeps): RoomSubject {
  const writer = createTicketWriter(deps);
  const meet = createMeeting(writer);
  const end = createEnd(deps, writer);

  const withTicket = async (
    trx: Trx,
    ref: SubjectRef,
    work: (ticket: Ticket) => Promise<void>,
  ): Promise<void> => {
    const ticket = await lockRef(trx, ref);
    if (ticket !== undefined) {
      await work(ticket);
    }
  };

  return {
    lock: async (trx, ref) => {
      const ticket = await lockRef(trx, ref);
      return (
        ticket && {
          conversationId: ticket.conversationId,
          isOver: isOver(ticket, deps.clock.now()),
        }
      );
    },
    // The customer alone in the room changes nothing for the ticket.
    sessionStarted: async () => undefined,
    agentContacted: (trx, ref, at) =>
      withTicket(trx, ref, (ticket) => {
        const agent = agentPerson(ticket);
        return writer.tell(
          trx,
          ticket,
          [agentHappening("session.agentContacted", agent, "system")],
          at,
        );
      }),
    met: (trx, ref, at) => withTicket(trx, ref, (ticket) => meet(trx, ticket, at)),
    established: (trx, ref, at) =>
      withTicket(trx, ref, (ticket) =>
        writer.tell(trx, ticket, [requestorHappening(ticket, "session.established", "system")], at),
      ),
    left: (trx, ref, leave) =>
      withTicket(trx, ref, async (ticket) =>
        writer.tell(trx, ticket, [await leaving(trx, deps.directory, ticket, leave)], leave.at),
      ),
    sessionOver: (trx, ref, sessionEnd) =>
      withTicket(trx, ref, (ticket) => end(trx, ticket, sessionEnd)),
  };
}

const sessionStarted: Happening = {
  eventType: "ticket.sessionStarted",
  source: "system",
  attributes: {},
};

function createMeeting({ save, tell }: TicketWriter) {
  return async (trx: Trx, ticket: Ticket, at: Date): Promise<void> => {
    const { isAllowed } = move(ticket.state, "start");
    if (isAllowed) {
      const entries = [entryOf(ticket, sessionStarted, at)];
      await save(trx, ticket, { state: "inprogress", at }, () => entries);
    } else if (ticket.state === "inprogress") {
      await tell(trx, ticket, [sessionStarted], at);
    }
  };
}

/** A ticket that its agent closed or cancelled has left `inprogress` before its room ended. */
function createEnd({ clock }: TicketRoomDeps, { save }: TicketWriter) {
  return async (trx: Trx, ticket: Ticket, { cause, wasEstablished }: SessionEnd): Promise<void> => {
    if (ticket.state !== "inprogress") {
      return;
    }
    // Not the last leave, which may be minutes ago: the ticket can have been changed since.
    const at = clock.now();
    // An agent who ends it is done with it, whatever it came to.
    if (!wasEstablished && cause !== "ended") {
      await save(trx, ticket, { state: "invited", at }, () => []);
      return;
    }
    const source: SessionEventSource = cause === "ended" ? "agent" : "system";
    const completed = agentHappening("ticket.completed", agentPerson(ticket), source);
    await save(trx, ticket, { state: "done", at }, () => [entryOf(ticket, completed, at)]);
  };
}

function lockRef(trx: Trx, { kind, enterpriseId, id }: SubjectRef): Promise<Ticket | undefined> {
  return kind === "ticket"
    ? lockTicketOf(trx, { enterpriseId, ticketId: id })
    : Promise.resolve(undefined);
}

/** A former agent may stay until they leave: the entry shows who left. */
async function leaving(
  db: Queryable,
  directory: TicketRoomDeps["directory"],
  ticket: Ticket,
  { role, userId }: Leave,
): Promise<Happening> {
  if (role === "requestor") {
    return requestorHappening(ticket, "session.userLeft", "guest");
  }
  const isFormer = userId !== null && userId !== ticket.agent?.id;
  const former = isFormer ? await directory.findUser(db, ticket.enterpriseId, userId) : undefined;
  return agentHappening("session.agentLeft", former?.person ?? agentPerson(ticket));
}
