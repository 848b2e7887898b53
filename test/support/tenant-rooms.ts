/** Participants of an enterprise's rooms, as identified by their tokens. */
import { randomUUID } from "node:crypto";
import { createRoomTokens } from "../../src/http/room-tokens.ts";
import type { Guest, RoomRole } from "../../src/http/route.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { aWholeTicket, type Tenant, type TicketInput } from "./tenant.ts";
import { aTenantConference, aRunningSession } from "./tenant-objects.ts";
import { testKey } from "./secret-box.ts";

export type TenantRoom = Readonly<{ guest: Guest; token: string; tenant: Tenant }>;

const tokens = createRoomTokens(testKey);

/** Roles in the room of a ticket; the other roles are in that of a conference. */
const ofTickets: ReadonlySet<RoomRole> = new Set(["agent", "requestor", "expert"]);

export type RoomInput = Readonly<{ ticket?: TicketInput; ttlSeconds?: number; key?: Buffer }>;

async function placeOf(
  db: Db,
  tenant: Tenant,
  role: RoomRole,
  { ticket = {} }: RoomInput,
): Promise<Pick<Guest, "conversationId" | "ticketId" | "conferenceId">> {
  const { id: agentId } = tenant.members.agent;
  if (ofTickets.has(role)) {
    const input = { agentId, state: "inprogress", ...ticket } as const;
    const { id, conversationId } = await aWholeTicket(db, tenant, input);
    return { ticketId: id, conferenceId: null, conversationId };
  }
  const made = await aTenantConference(db, tenant, { organizerId: agentId, status: "ongoing" });
  return { ticketId: null, conferenceId: made.id, conversationId: made.conversationId };
}

/** A participant of that role in a separate room. */
export async function aTenantRoom(
  db: Db,
  tenant: Tenant,
  role: RoomRole,
  input: RoomInput = {},
): Promise<TenantRoom> {
  const isStaff = role === "agent" || role === "organizer" || role === "moderator";
  const place = await placeOf(db, tenant, role, input);
  const isExpert = role === "expert";
  const guest: Guest = {
    ...place,
    enterpriseId: tenant.id,
    role,
    participant: isStaff ? `user-${tenant.members.agent.id}` : role,
    visit: isExpert
      ? await aRunningSession(db, { ...place, enterpriseId: tenant.id })
      : randomUUID(),
    userId: isStaff ? tenant.members.agent.id : null,
    name: tenant.mark,
    ...(role === "supervisor" ? await supervisorOf(db, tenant, place) : {}),
  };
  return { guest, tenant, token: await issueToken(guest, input) };
}

/** The administrator as a supervisor of the running session. */
async function supervisorOf(
  db: Db,
  tenant: Tenant,
  place: Pick<Guest, "conversationId">,
): Promise<Pick<Guest, "participant" | "visit" | "userId" | "name">> {
  const { id } = tenant.members.admin;
  const visit = await aRunningSession(db, { ...place, enterpriseId: tenant.id });
  return { participant: `supervisor:${id}`, visit, userId: id, name: "" };
}

/** A room token with the test's key, valid for an hour by default. */
export function issueToken(
  guest: Guest,
  { ttlSeconds = 3_600, key }: Pick<RoomInput, "ttlSeconds" | "key"> = {},
): Promise<string> {
  const issuer = key === undefined ? tokens : createRoomTokens(key);
  return issuer.issue(guest, new Date(Date.now() + ttlSeconds * 1_000));
}

type TicketRoom = Readonly<{ guest: Guest; customer: string; agent: string }>;

/** The room of a ticket. Returns its customer, and the tokens of customer and agent. */
export async function aTicketRoom(db: Db, tenant: Tenant): Promise<TicketRoom> {
  const { guest, token } = await aTenantRoom(db, tenant, "requestor");
  const { id } = tenant.members.agent;
  const agent = { ...guest, role: "agent", participant: `agent:${id}`, userId: id } as const;
  return { guest, customer: token, agent: await issueToken(agent) };
}

/** The room of a ticket whose customer has accepted the terms. */
export async function anAgreedRoom(db: Db, tenant: Tenant): Promise<TicketRoom> {
  const room = await aTicketRoom(db, tenant);
  const { enterpriseId, ticketId, visit } = room.guest;
  await db("consents").insert({
    enterprise_id: enterpriseId,
    ticket_id: ticketId,
    visit,
    text_version: "1",
    language: "en",
    has_recording_notice: false,
    network: "192.0.2.0/24",
    user_agent: "test",
    created_at: new Date(),
  });
  return room;
}

/**
 * A token for an additional participant of the organizer's meeting, from outside of the enterprise.
 */
export function issueVisitorToken(
  organizer: Guest,
  { role, name }: Pick<Guest, "role" | "name">,
): Promise<string> {
  const participant = `guest-${randomUUID()}`;
  return issueToken({ ...organizer, role, name, participant, userId: null });
}
