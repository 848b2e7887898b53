import type { SubjectRef } from "../../src/contracts/rooms.ts";
import { randomBytes, randomUUID } from "node:crypto";
import type { Guest } from "../../src/http/route.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { aService } from "./factories.ts";
import { aTestUser, aTicketFixture, type TestUser } from "./tickets.ts";

export type Subject = Readonly<{ ref: SubjectRef; conversationId: number; uid: string }>;

async function insertConversation(db: Db, enterpriseId: number, roomName: string | null) {
  const uid = randomUUID();
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO conversations (uid, enterprise_id, created_at, room_name)
     VALUES (?, ?, '2026-11-20T10:00:00Z', coalesce(?, md5(random()::text) || ':' || md5(random()::text)))
     RETURNING id`,
    [uid, enterpriseId, roomName],
  );
  return { uid, conversationId: row?.id ?? 0 };
}

const start = new Date("2026-11-20T10:00:00Z");
const end = new Date("2026-11-20T11:00:00Z");

export type RoomFixture = Awaited<ReturnType<typeof aRoomFixture>>;

/** An enterprise with a service of each kind, an agent, and an administrator. */
export async function aRoomFixture(db: Db) {
  const fixture = await aTicketFixture(db);
  const meetings = await aService(db, { enterprise_id: fixture.enterpriseId, kind: "conference" });
  const organizer = await aTestUser(db, fixture.enterpriseId, "agent");
  return { ...fixture, meetings, organizer };
}

export async function aRoomTicket(
  db: Db,
  fixture: Pick<RoomFixture, "enterpriseId" | "service" | "buttonId">,
  { agent, state = "invited" }: { agent?: TestUser; state?: string } = {},
): Promise<Subject> {
  const { enterpriseId } = fixture;
  const { uid, conversationId } = await insertConversation(db, enterpriseId, null);
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, agent_id, state,
       requestor_email, requestor_secret, information_code, start_time, end_time)
     VALUES (?, ?, ?, ?, ?, ?, 'jane@example.com', ?, ?, ?, ?) RETURNING id`,
    [
      enterpriseId,
      fixture.service.id,
      fixture.buttonId,
      conversationId,
      agent?.id ?? null,
      state,
      randomIds.base62(22),
      randomIds.base62(10),
      start,
      end,
    ],
  );
  return { ref: { kind: "ticket", enterpriseId, id: row?.id ?? 0 }, conversationId, uid };
}

export async function aRoomConference(
  db: Db,
  fixture: Pick<RoomFixture, "enterpriseId" | "meetings">,
  organizer: TestUser,
): Promise<Subject> {
  const { enterpriseId } = fixture;
  const roomName = `${randomBytes(16).toString("hex")}:${randomBytes(16).toString("hex")}`;
  const { uid, conversationId } = await insertConversation(db, enterpriseId, roomName);
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO conferences (enterprise_id, service_id, conversation_id, name, room_name,
       short_code, sip_dtmf_code, organizer_id, created_by, start_time, end_time)
     VALUES (?, ?, ?, 'Weekly', ?, ?, lpad((random() * 999999998)::bigint::text, 9, '0'), ?, ?, ?, ?)
     RETURNING id`,
    [
      enterpriseId,
      fixture.meetings.id,
      conversationId,
      roomName,
      randomIds.base62(12),
      organizer.id,
      organizer.id,
      start,
      end,
    ],
  );
  return { ref: { kind: "conference", enterpriseId, id: row?.id ?? 0 }, conversationId, uid };
}

/** A guest with a room token. By default, each has a new participant and visit. */
export function aGuest(
  { ref, conversationId }: Subject,
  role: Guest["role"],
  more: Partial<Guest> = {},
): Guest {
  return {
    enterpriseId: ref.enterpriseId,
    conversationId,
    ticketId: ref.kind === "ticket" ? ref.id : null,
    conferenceId: ref.kind === "conference" ? ref.id : null,
    role,
    participant: randomUUID(),
    visit: randomUUID(),
    userId: null,
    name: "",
    ...more,
  };
}
