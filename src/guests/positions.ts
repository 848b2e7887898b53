/** Requests for the position of the customer, and their answers. */
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Geoloc } from "../contracts/session-events.ts";
import type { Guest } from "../http/route.ts";
import type { Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { noPositionEntry, positionEntry } from "./events.ts";
import type { GuestDeps, GuestTicket } from "./ports.ts";
import {
  findLastPosition,
  findOpenPositionRequest,
  findPositionRequest,
  insertAnswer,
  insertPositionRequest,
  markPositionAnswered,
  type LastPosition,
  type PositionRequest,
} from "./store.ts";
import { requireConsent, ticketRefOf, type WithTicket } from "./with-ticket.ts";

/** As the browser found it. `accuracy`: radius in metres, if it is known. */
export type FoundPosition = Readonly<{ geoloc: Geoloc; accuracy: number | undefined }>;

export type Positions = {
  /** Undefined: denied. */
  answerPosition(guest: Guest, requestId: string, found: FoundPosition | undefined): Promise<void>;
  /** Requests the position for an agent. Returns the open request if there is one. */
  askPosition(scope: Scope, ticketId: number): Promise<PositionRequest>;
  /** The last position that the customer sent. */
  findPosition(scope: Scope, ticketId: number): Promise<LastPosition | undefined>;
};

export function createPositions(deps: GuestDeps, withOpenTicket: WithTicket): Positions {
  return {
    answerPosition: createAnswerPosition(deps, withOpenTicket),
    findPosition: async (scope, ticketId) => {
      const { enterpriseId } = await deps.getTicket(scope, ticketId);
      return findLastPosition(deps.db, { enterpriseId, ticketId });
    },
    askPosition: async (scope, ticketId) => {
      const { enterpriseId } = await deps.getTicket(scope, ticketId);
      return inTransaction(deps.db, async (trx) => {
        const ticket = await deps.tickets.lock(trx, { enterpriseId, ticketId });
        const at = deps.clock.now();
        if (ticket === undefined || deps.tickets.isOver(ticket, at)) {
          throw problem("conflict", "No position can be requested on a closed ticket.");
        }
        return findOrInsertRequest(deps, trx, ticket, { askedBy: scope.userId, at });
      });
    },
  };
}

/** The open request of the ticket, or a new one. */
export async function findOrInsertRequest(
  { ids }: Pick<GuestDeps, "ids">,
  trx: Trx,
  ticket: GuestTicket,
  { askedBy, at }: { askedBy: number | null; at: Date },
): Promise<PositionRequest> {
  return (
    (await findOpenPositionRequest(trx, ticketRefOf(ticket))) ??
    (await insertPositionRequest(trx, { ...ticketRefOf(ticket), id: ids.uuid(), askedBy, at }))
  );
}

function createAnswerPosition(
  { tickets }: GuestDeps,
  withOpenTicket: WithTicket,
): Positions["answerPosition"] {
  return (guest, id, found) =>
    withOpenTicket(guest, async (trx, ticket, at) => {
      const owner = ticketRefOf(ticket);
      if ((await findPositionRequest(trx, { ...owner, id })) === undefined) {
        throw problem("not_found", "No position was requested with this id.");
      }
      await requireConsent(trx, ticket, guest.visit);
      const answer = found ? { ...found.geoloc, accuracy: found.accuracy } : { refused: true };
      if (!(await insertAnswer(trx, { ...owner, kind: "position", occasion: id, answer, at }))) {
        return;
      }
      await markPositionAnswered(trx, { id, ticketId: ticket.id, at });
      if (found === undefined) {
        await tickets.writeTimeline(trx, ticket, [noPositionEntry], at);
      } else {
        const { geoloc } = found;
        await tickets.setPosition(trx, ticket, { geoloc, at, entries: [positionEntry(geoloc)] });
      }
    });
}
