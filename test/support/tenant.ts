import { randomBytes, randomUUID } from "node:crypto";
import { insertToken, newToken } from "../../src/accounts/token-store.ts";
import type { TicketState } from "../../src/contracts/events.ts";
import { roles, type Role } from "../../src/contracts/permissions.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { anEnterprise, anEvent, aService } from "./factories.ts";
import { aReceivingSubscription, testSecret } from "./pipeline.ts";
import { aGroup, aTestUser, type TestUser } from "./tickets.ts";

export type Member = TestUser & { readonly token: string };

/**
 * An enterprise with objects of every kind. All its texts contain `mark`, so that a leak into
 * another enterprise's response is detected.
 */
export type Tenant = Readonly<{
  id: number;
  mark: string;
  apiKey: string;
  serviceKey: string;
  serviceId: number;
  buttonId: number;
  conferenceServiceKey: string;
  conferenceServiceId: number;
  /** The group of those in `members` who have one. */
  north: number;
  south: number;
  members: Record<Role, Member>;
  /** An agent of the same group as `members.agent`. */
  colleague: Member;
  /** An agent of another group. */
  stranger: Member;
  /** Secrets that no response may contain, not even for this enterprise. */
  hidden: readonly string[];
}>;

const inGroup: ReadonlySet<Role> = new Set(["viewer", "agent", "manager"]);

export async function tokenFor(
  db: Db,
  { id: userId, enterpriseId }: Pick<TestUser, "id" | "enterpriseId">,
  ttlSeconds = 3_600,
  kind: "access" | "refresh" = "access",
): Promise<string> {
  const { token, hash } = newToken(randomIds);
  const owner = { userId, enterpriseId };
  await insertToken(db, { hash, owner, kind, family: randomUUID(), ttlSeconds });
  return token;
}

type Place = { id: number; mark: string };

async function aMember(
  db: Db,
  { id, mark }: Place,
  role: Role,
  more: { name?: string; groupIds?: number[] } = {},
): Promise<Member> {
  const { name = role, groupIds = [] } = more;
  const person = {
    login: `${name}@${mark}.example`,
    email: `${name}@${mark}.example`,
    firstname: name,
    lastname: mark,
    nickname: `${name} ${mark}`,
  };
  const user = await aTestUser(db, id, role, { groupIds, person });
  return { ...user, token: await tokenFor(db, user) };
}

async function someMembers(db: Db, place: Place, north: number): Promise<Tenant["members"]> {
  const members: Partial<Tenant["members"]> = {};
  for (const role of roles) {
    members[role] = await aMember(db, place, role, { groupIds: inGroup.has(role) ? [north] : [] });
  }
  return members as Tenant["members"];
}

export async function aTenant(db: Db): Promise<Tenant> {
  const mark = randomBytes(6).toString("hex");
  const apiKey = mark.padEnd(32, "0");
  const { id } = await anEnterprise(db, { name: `Tenant ${mark}`, api_key: apiKey });
  const place = { id, mark };
  const north = await aGroup(db, id, `North ${mark}`);
  const south = await aGroup(db, id, `South ${mark}`);
  const service = await aService(db, {
    enterprise_id: id,
    service_key: mark.padEnd(32, "k"),
    name: `Service ${mark}`,
  });
  const meetings = await aService(db, {
    enterprise_id: id,
    service_key: mark.padEnd(32, "m"),
    name: `Meetings ${mark}`,
    kind: "conference",
  });
  const [button] = await rowsOf<{ id: number }>(
    db,
    "INSERT INTO buttons (enterprise_id, service_id, name) VALUES (?, ?, ?) RETURNING id",
    [id, service.id, mark],
  );
  return {
    id,
    mark,
    north,
    south,
    apiKey,
    conferenceServiceKey: meetings.service_key,
    conferenceServiceId: meetings.id,
    serviceKey: service.service_key,
    serviceId: service.id,
    buttonId: button?.id ?? 0,
    members: await someMembers(db, place, north),
    colleague: await aMember(db, place, "agent", { name: "colleague", groupIds: [north] }),
    stranger: await aMember(db, place, "agent", { name: "stranger", groupIds: [south] }),
    hidden: [`password ${mark}`, testSecret],
  };
}

/**
 * The reference of every ticket of every tenant, which a search must not find in other enterprises.
 */
export const sharedReference = "shared";

export type TicketInput = {
  agentId?: number | null;
  groupId?: number | null;
  state?: TicketState;
  isDeleted?: boolean;
};

export type TenantTicket = { id: number; conversationId: number; secret: string; code: string };

/** A ticket with a timeline entry. Returns its id. */
export async function aTenantTicket(db: Db, tenant: Tenant, input: TicketInput): Promise<number> {
  return (await aWholeTicket(db, tenant, input)).id;
}

/** The same. Returns its id, its room and its links. */
export async function aWholeTicket(
  db: Db,
  { id: enterpriseId, mark, serviceId, buttonId }: Tenant,
  { agentId = null, groupId = null, state = "new", isDeleted = false }: TicketInput,
): Promise<TenantTicket> {
  const secret = `${mark}${randomIds.base62(10)}`;
  const code = randomIds.base62(10);
  const result: { rows: { id: number; conversationId: number }[] } = await db.raw(
    `WITH conversation AS (
       INSERT INTO conversations (uid, enterprise_id) VALUES (:uid, :enterpriseId) RETURNING id
     ), ticket AS (
       INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, agent_id,
         group_id, state, reference, subject, description, name, requestor_email,
         requestor_lastname, requestor_secret, information_code, start_time, end_time, deleted_at)
       SELECT :enterpriseId, :serviceId, :buttonId, id, :agentId, :groupId, :state, :reference,
         :mark, :mark, :mark, :email, :mark, :secret, :code, now(), now() + interval '30 minutes',
         CASE WHEN :isDeleted THEN now() END
       FROM conversation RETURNING id, conversation_id
     )
     INSERT INTO session_events (enterprise_id, ticket_id, conversation_id, event_type,
       event_code, source, attributes)
     SELECT :enterpriseId, id, conversation_id, 'media.OCRDone', 41, 'system',
       json_build_object('text', CAST(:mark AS text)) FROM ticket
     RETURNING ticket_id AS id, conversation_id AS "conversationId"`,
    {
      ...{ uid: randomUUID(), enterpriseId, serviceId, buttonId, agentId, groupId, state, mark },
      ...{ email: `customer@${mark}.example`, secret, code },
      ...{ reference: sharedReference, isDeleted },
    },
  );
  const { id = 0, conversationId = 0 } = result.rows[0] ?? {};
  return { id, conversationId, secret, code };
}

export type WebhookMade = { id: number; deliveryId: number; eventId: string };

/** An active subscription with a custom header and one delivery that failed once. */
export async function aTenantWebhook(
  db: Db,
  { id: enterpriseId, mark }: Tenant,
  { isDeleted = false } = {},
): Promise<WebhookMade> {
  const { id } = await aReceivingSubscription(db, {
    url: `http://127.0.0.1:9/${mark}`,
    enterpriseId,
    filters: ["ticket.*"],
    headers: [{ name: "X-Key", value: `password ${mark}` }],
  });
  await db("subscriptions").where({ id }).update({ name: mark });
  const body = JSON.stringify({ event: "update", time: 0, object: "ticket", objectId: 1, mark });
  const event = await anEvent(db, { enterprise_id: enterpriseId, body });
  await db("outbox").where({ event_row_id: event.id }).delete();
  const [delivery] = await rowsOf<{ id: number }>(
    db,
    `WITH delivery AS (
       INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
         object, key, state, attempts, due_at)
       VALUES (?, ?, 1, ?, ?, 'ticket', ?, 'retry', 1, now() + interval '1 day')
       RETURNING id, enterprise_id
     )
     INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status, response_body,
       request_headers)
     SELECT enterprise_id, now(), id, 1, 5, 500, ?, ? FROM delivery RETURNING delivery_id AS id`,
    [
      ...[enterpriseId, id, event.id, event.occurred_at, event.key, `answer ${mark}`],
      JSON.stringify({ "webhook-id": event.event_id, "X-Key": "••••" }),
    ],
  );
  await db("subscription_health").where({ subscription_id: id }).update({ last_sequence: 1 });
  if (isDeleted) {
    await db("subscriptions").where({ id }).update({ is_active: false, deleted_at: new Date() });
  }
  return { id, deliveryId: delivery?.id ?? 0, eventId: event.event_id };
}

/** Soft-deletes the webhooks, like the API, because an enterprise is limited to 20. */
export async function removeWebhooks(db: Db, enterpriseId: number): Promise<void> {
  await rowsOf(
    db,
    `UPDATE subscriptions SET is_active = false, deleted_at = now()
     WHERE enterprise_id = ? AND deleted_at IS NULL`,
    [enterpriseId],
  );
}
