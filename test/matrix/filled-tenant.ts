import { randomUUID } from "node:crypto";
import type { Db } from "../../src/platform/db/pool.ts";
import { aTenantWebhook, aWholeTicket, type Tenant } from "../support/tenant.ts";
import {
  aTenantChat,
  aTenantConference,
  aTenantGroup,
  aTenantHl7,
  aTenantMessage,
  aTenantPicture,
  aTenantService,
  aTenantSession,
  aRunningSession,
  insertRow,
  ofConference,
  ofTicket,
} from "../support/tenant-objects.ts";
import { someApiTokens } from "../support/tenant-tokens.ts";
import type { Ids } from "./routes/kinds.ts";
import { aTenantReplay } from "./targets/webhooks.ts";

/**
 * Creates three objects of each kind. Returns the ids of their parents, for the path parameters.
 */
export async function fillTenant(api: { db: Db; blobDir: string }, tenant: Tenant): Promise<Ids> {
  const { db } = api;
  const { id: agentId } = tenant.members.agent;
  const ticket = await aWholeTicket(db, tenant, { agentId });
  const conference = await aTenantConference(db, tenant, { organizerId: agentId });
  const { id: webhookId } = await aTenantWebhook(db, tenant);
  for (let i = 0; i < 3; i += 1) {
    const running = await aWholeTicket(db, tenant, { agentId });
    await aRunningSession(db, { ...running, enterpriseId: tenant.id });
    await aTenantConference(db, tenant, { organizerId: agentId });
    await aTenantGroup(db, tenant);
    await aTenantService(db, tenant);
    await aTenantHl7(db, tenant);
    await aTenantMessage(db, tenant, "sms");
    await aTenantMessage(db, tenant, "email", { ticket_id: ticket.id });
    await aTenantChat(db, tenant, ticket);
    await aTenantSession(db, tenant, ticket);
    await aTenantSession(db, tenant, conference);
    await aTenantReplay(db, tenant, "done");
    await aTenantPicture(api, tenant, ofTicket(ticket));
    await aTenantPicture(api, tenant, ofConference(conference));
    await insertRow(db, "conference_guests", {
      enterprise_id: tenant.id,
      conference_id: conference.id,
      email: `${randomUUID()}@${tenant.mark}.example`,
    });
    await insertRow(db, "audit_entries", {
      enterprise_id: tenant.id,
      login: tenant.mark,
      action: "update",
      object: "enterprise",
      object_id: String(tenant.id),
    });
    await insertRow(db, "session_events", {
      enterprise_id: tenant.id,
      ticket_id: ticket.id,
      conversation_id: ticket.conversationId,
      event_type: "media.OCRDone",
      event_code: 41,
      source: "system",
      attributes: JSON.stringify({ text: tenant.mark }),
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
  await someApiTokens(db, tenant.members.admin, 3);
  await db("subscription_health")
    .where({ subscription_id: webhookId })
    .update({ last_sequence: 4 });
  return {
    enterpriseId: tenant.id,
    ticketId: ticket.id,
    conferenceId: conference.id,
    conversationId: ticket.conversationId,
    webhookId,
  };
}
