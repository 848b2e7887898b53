import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import type { TicketFixture } from "./tickets.ts";

async function insertConversation(db: Db, enterpriseId: number): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "INSERT INTO conversations (uid, enterprise_id) VALUES (gen_random_uuid(), ?) RETURNING id",
    [enterpriseId],
  );
  return row!.id;
}

export type Place = { id: number; conversationId: number };

export async function aTicketRow(
  db: Db,
  { enterpriseId, agent, service, buttonId }: TicketFixture,
  columns: Record<string, unknown> = {},
): Promise<Place> {
  const conversationId = await insertConversation(db, enterpriseId);
  const rows: { id: number }[] = await db("tickets")
    .insert({
      enterprise_id: enterpriseId,
      conversation_id: conversationId,
      service_id: service.id,
      button_id: buttonId,
      agent_id: agent.id,
      state: "opened",
      requestor_email: "jane@example.com",
      requestor_secret: randomIds.base62(22),
      information_code: randomIds.base62(10),
      start_time: new Date(),
      end_time: new Date(),
      ...columns,
    })
    .returning("id");
  return { id: rows[0]!.id, conversationId };
}

export async function aConferenceRow(
  db: Db,
  { enterpriseId, agent, service }: TicketFixture,
  columns: Record<string, unknown> = {},
): Promise<Place> {
  const conversationId = await insertConversation(db, enterpriseId);
  const rows: { id: number }[] = await db("conferences")
    .insert({
      enterprise_id: enterpriseId,
      conversation_id: conversationId,
      service_id: service.id,
      name: "Weekly",
      room_name: `${randomIds.hex(16)}:${randomIds.hex(16)}`,
      short_code: randomIds.base62(12),
      sip_dtmf_code: String(100_000_000 + conversationId),
      organizer_id: agent.id,
      created_by: agent.id,
      start_time: new Date(),
      end_time: new Date(),
      ...columns,
    })
    .returning("id");
  return { id: rows[0]!.id, conversationId };
}
