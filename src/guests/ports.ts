/** Dependencies on other features, injected by `compose`. */
import type { InvitationClick } from "../contracts/invitations.ts";
import type { FindLatestSession } from "../contracts/rooms.ts";
import type { RoomTokens } from "../http/room-tokens.ts";
import type { CustomerTickets } from "../contracts/tickets.ts";
import type { TicketState } from "../contracts/events.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { Person } from "../contracts/session-events.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";

/** The part of a ticket that the guest pages use. */
export type GuestTicket = Readonly<{
  id: number;
  enterpriseId: number;
  conversationId: number;
  serviceId: number;
  state: TicketState;
  agent: Readonly<{ id: number; login: string; person: Person }> | null;
  requestor: Readonly<{
    email: string | null;
    phone: string | null;
    firstname: string | null;
    lastname: string | null;
  }>;
  requestorSecret: string;
  informationCode: string;
  name: string | null;
  subject: string | null;
  language: string | null;
  startTime: Date;
  endTime: Date;
}>;

export type GuestDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  tickets: CustomerTickets<Queryable, Trx, GuestTicket>;
  /** 404 if the enterprise has no such ticket, 403 if it is out of the caller's reach. */
  getTicket(scope: Scope, ticketId: number): Promise<GuestTicket>;
  /** The invitation's id if this was its first click. */
  markClicked(trx: Trx, click: InvitationClick): Promise<number | undefined>;
  findLatestSession: FindLatestSession<Queryable>;
  roomTokens: Pick<RoomTokens, "issue">;
  /** Public address without a trailing slash. */
  baseUrl: string;
}>;
