import { randomUUID } from "node:crypto";
import type { Db } from "../../src/platform/db/pool.ts";
import { aHouseWebhook, aWholeTicket, type House } from "../support/house.ts";
import {
  aHouseChat,
  aHouseConference,
  aHouseGroup,
  aHouseHl7,
  aHouseMessage,
  aHousePicture,
  aHouseService,
  aHouseSession,
  aRunningSession,
  insertRow,
  ofConference,
  ofTicket,
} from "../support/house-objects.ts";
import { someApiTokens } from "../support/house-tokens.ts";
import type { Ids } from "./routes/kinds.ts";
import { aHouseReplay } from "./targets/webhooks.ts";

/** Three of everything. Out: the ids of what has them. */
export async function fillHouse(api: { db: Db; blobDir: string }, house: House): Promise<Ids> {
  const { db } = api;
  const { id: agentId } = house.members.agent;
  const ticket = await aWholeTicket(db, house, { agentId });
  const conference = await aHouseConference(db, house, { organizerId: agentId });
  const { id: webhookId } = await aHouseWebhook(db, house);
  for (let i = 0; i < 3; i += 1) {
    const running = await aWholeTicket(db, house, { agentId });
    await aRunningSession(db, { ...running, enterpriseId: house.id });
    await aHouseConference(db, house, { organizerId: agentId });
    await aHouseGroup(db, house);
    await aHouseService(db, house);
    await aHouseHl7(db, house);
    await aHouseMessage(db, house, "sms");
    await aHouseMessage(db, house, "email", { ticket_id: ticket.id });
    await aHouseChat(db, house, ticket);
    await aHouseSession(db, house, ticket);
    await aHouseSession(db, house, conference);
    await aHouseReplay(db, house, "done");
    await aHousePicture(api, house, ofTicket(ticket));
    await aHousePicture(api, house, ofConference(conference));
    await insertRow(db, "conference_guests", {
      enterprise_id: house.id,
      conference_id: conference.id,
      email: `${randomUUID()}@${house.mark}.example`,
    });
    await insertRow(db, "audit_entries", {
      enterprise_id: house.id,
      login: house.mark,
      action: "update",
      object: "enterprise",
      object_id: String(house.id),
    });
    await insertRow(db, "session_events", {
      enterprise_id: house.id,
      ticket_id: ticket.id,
      conversation_id: ticket.conversationId,
      event_type: "media.OCRDone",
      event_code: 41,
      source: "system",
      attributes: JSON.stringify({ text: house.mark }),
    });
  }
  await db.raw(
    `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
       key, state, attempts, due_at)
     SELECT enterprise_id, subscription_id, sequence + n, event_row_id + n, event_at, object, key, state,
       attempts, due_at FROM deliveries CROSS JOIN generate_series(1, 3) n
     WHERE subscription_id = ?`,
    [webhookId],
  );
  await someApiTokens(db, house.members.admin, 3);
  await db("subscription_health")
    .where({ subscription_id: webhookId })
    .update({ last_sequence: 4 });
  return {
    enterpriseId: house.id,
    ticketId: ticket.id,
    conferenceId: conference.id,
    conversationId: ticket.conversationId,
    webhookId,
  };
}
