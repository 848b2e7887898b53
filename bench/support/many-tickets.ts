import { binSql } from "../../migrations/20261127110000_add_modified_bin.ts";
import { randomBytes } from "node:crypto";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";

export type ManyTickets = {
  readonly enterpriseId: number;
  readonly agentId: number;
  readonly agentLogin: string;
  readonly serviceKey: string;
  /** Its groups contain a twentieth of the agents. */
  readonly groupId: number;
  /** The last full day of tickets, `YYYY-MM-DD`. */
  readonly day: string;
};

export type ManyTicketsOptions = {
  count: number;
  /** Number of days with tickets. */
  days: number;
  agents?: number;
  until?: Date;
  /** Default: a new enterprise. */
  enterpriseId?: number;
};

const dayMs = 86_400_000;

/** Tickets in realistic states: nearly all closed. */
const ticketsSql = `
  INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, agent_id, group_id,
    state, reference, subject, type, name, requestor_email, requestor_phone, requestor_firstname,
    requestor_lastname, requestor_secret, information_code, start_time, end_time, created_at,
    modified_at, modified_bin, user_agent)
  SELECT g.enterprise_id, g.services[1 + n % 4], g.buttons[1 + n % 4], g.first + n,
    CASE WHEN n % 47 > 0 THEN g.agents[1 + n % cardinality(g.agents)] END,
    CASE WHEN n % 3 = 0 THEN g.groups[1 + n % 20] END,
    CASE WHEN n % 20 > 0 THEN 'closed' ELSE (ARRAY['new', 'open', 'opened', 'invited',
      'inprogress', 'updated', 'expired', 'declined', 'rejected', 'done'])[1 + n / 20 % 10] END,
    'R-' || n, 'Boiler ' || n, '', 'Customer ' || n, 'c' || n || '@example.com', '+33612345678',
    'Jane', 'Doe', md5(g.enterprise_id || 's' || n), md5(g.enterprise_id || 'c' || n),
    at + interval '1 hour', at + interval '2 hours', at, modified_at,
    ${binSql("modified_at")},
    CASE WHEN n % 2 = 0 THEN g.user_agent END
  FROM (SELECT CAST(? AS bigint) AS enterprise_id, CAST(? AS bigint[]) AS services,
      CAST(? AS bigint[]) AS buttons, CAST(? AS bigint[]) AS agents, CAST(? AS bigint[]) AS groups,
      CAST(? AS bigint) AS first, CAST(? AS timestamptz) AS until, CAST(? AS integer) AS days,
      CAST(? AS integer) AS count, CAST(? AS text) AS user_agent) AS g,
    generate_series(0, g.count - 1) AS n,
    LATERAL (SELECT g.until - (g.count - 1 - n) * (g.days * interval '1 day' / g.count)) AS t(at),
    LATERAL (SELECT at + (n % 7000) * interval '1 minute') AS changed(modified_at)`;

const lastDay = "SELECT * FROM tickets WHERE enterprise_id = ? AND created_at >= ?";

/**
 * Each ticket of the last day has an email, a session, two pictures, and twelve timeline entries.
 */
async function fillLastDay(db: Db, enterpriseId: number, since: Date): Promise<void> {
  const input = [enterpriseId, since];
  await rowsOf(
    db,
    `WITH t AS (${lastDay}), sent AS (
       INSERT INTO messages (enterprise_id, channel, uid, ticket_id, recipient, text, status)
       SELECT enterprise_id, 'email', gen_random_uuid(), id, requestor_email, 'Come', 'sent' FROM t
       RETURNING *
     )
     INSERT INTO invitations (enterprise_id, ticket_id, message_id, channel)
     SELECT enterprise_id, ticket_id, id, channel FROM sent`,
    input,
  );
  await rowsOf(
    db,
    `INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, met_at, ended_at,
       end_reason, finished_at, billing_seconds, both_seconds, participant_count)
     SELECT gen_random_uuid(), t.enterprise_id, t.conversation_id, t.start_time, t.start_time,
       t.end_time, 'ended', t.end_time, 3600, 3500, 2 FROM (${lastDay}) AS t`,
    input,
  );
  await rowsOf(
    db,
    `INSERT INTO media (enterprise_id, hash, ticket_id, conversation_id, state, source_type, title,
       filename, mime_type)
     SELECT t.enterprise_id, gen_random_uuid(), t.id, t.conversation_id, 'completed',
       'ticket_snapshot', 'Picture', 'picture.jpg', 'image/jpeg'
     FROM (${lastDay}) AS t, generate_series(1, 2)`,
    input,
  );
  await rowsOf(
    db,
    `INSERT INTO session_events (enterprise_id, ticket_id, conversation_id, event_type, event_code,
       source, attributes)
     SELECT t.enterprise_id, t.id, t.conversation_id, (ARRAY['ticket.new', 'session.established',
       'media.pictureTaken', 'media.OCRDone'])[1 + n % 4], (ARRAY[1, 30, 40, 41])[1 + n % 4],
       'system', '{}'
     FROM (${lastDay}) AS t, generate_series(1, 12) AS n`,
    input,
  );
}

async function makeGroups(
  db: Db,
  enterpriseId: number,
  agents: readonly number[],
): Promise<number[]> {
  const groups = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO groups (enterprise_id, name)
     SELECT ?, 'Group ' || n FROM generate_series(1, 20) AS n RETURNING id`,
    [enterpriseId],
  );
  const ids = groups.map(({ id }) => id);
  await rowsOf(
    db,
    `INSERT INTO group_members (enterprise_id, group_id, user_id)
     SELECT ?, (?::bigint[])[1 + n % 20], user_id
     FROM unnest(?::bigint[]) WITH ORDINALITY AS a(user_id, n)`,
    [enterpriseId, ids, [...agents]],
  );
  return ids;
}

type Agent = { id: number; login: string };

async function makeAgents(db: Db, enterpriseId: number, count: number): Promise<Agent[]> {
  return rowsOf<Agent>(
    db,
    `INSERT INTO users (enterprise_id, login, password_hash, role, is_agent, firstname, lastname)
     SELECT g.id, 'many' || n || '@' || g.id || '.example', 'none', 'agent', true, 'Agent', n
     FROM (SELECT CAST(? AS bigint) AS id) AS g, generate_series(1, ?) AS n RETURNING id, login`,
    [enterpriseId, count],
  );
}

const vacuumPauseMs = 200;
const mostVacuums = 100;

/** Until all pages of the table are marked all-visible, which a concurrent autovacuum may delay. */
export async function vacuum(db: Db, tableName: string): Promise<void> {
  for (let i = 0; i < mostVacuums; i += 1) {
    await db.raw("VACUUM (ANALYZE)");
    const [table] = await rowsOf<{ is_visible: boolean }>(
      db,
      "SELECT relallvisible = relpages AS is_visible FROM pg_class WHERE relname = ?",
      [tableName],
    );
    if (table?.is_visible === true) {
      return;
    }
    await sleep(vacuumPauseMs);
  }
  throw new Error("Something holds the vacuum up");
}

async function makeEnterprise(db: Db): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO enterprises (name, api_key, time_zone) VALUES ('Many tickets', ?, 'UTC')
     RETURNING id`,
    [randomBytes(16).toString("hex")],
  );
  return row?.id ?? 0;
}

type Places = { keys: string[]; services: number[]; buttons: number[] };

async function makePlaces(db: Db, enterpriseId: number): Promise<Places> {
  const services = await rowsOf<{ id: number; service_key: string }>(
    db,
    `INSERT INTO services (enterprise_id, name, kind, service_key)
     SELECT CAST(? AS bigint), 'Service ' || n, 'ticket', md5(gen_random_uuid()::text)
     FROM generate_series(1, 4) AS n RETURNING id, service_key`,
    [enterpriseId],
  );
  const ids = services.map(({ id }) => id);
  const buttons = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO buttons (enterprise_id, service_id)
     SELECT ?, service_id FROM unnest(?::bigint[]) WITH ORDINALITY AS s(service_id, n)
     ORDER BY n RETURNING id`,
    [enterpriseId, ids],
  );
  return {
    keys: services.map(({ service_key }) => service_key),
    services: ids,
    buttons: buttons.map(({ id }) => id),
  };
}

/** Returns the first of consecutive ids. */
async function makeConversations(db: Db, enterpriseId: number, count: number): Promise<number> {
  const [made] = await rowsOf<{ first: number }>(
    db,
    `WITH made AS (
       INSERT INTO conversations (uid, enterprise_id)
       SELECT gen_random_uuid(), ? FROM generate_series(1, ?) RETURNING id
     )
     SELECT min(id) AS first FROM made`,
    [enterpriseId, count],
  );
  return made?.first ?? 0;
}

const userAgent =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36";

/** An enterprise with a long history, vacuumed. */
export async function manyTickets(db: Db, options: ManyTicketsOptions): Promise<ManyTickets> {
  const { count, days, agents: agentCount = 100, until = new Date() } = options;
  const enterpriseId = options.enterpriseId ?? (await makeEnterprise(db));
  const { keys, services, buttons } = await makePlaces(db, enterpriseId);
  const agents = await makeAgents(db, enterpriseId, agentCount);
  const ids = agents.map(({ id }) => id);
  const groups = await makeGroups(db, enterpriseId, ids);
  const first = await makeConversations(db, enterpriseId, count);
  const dayStart = new Date(Math.floor(until.getTime() / dayMs) * dayMs);
  // The last ticket is at the end of the day, so that the day is complete.
  const last = new Date(dayStart.getTime() + dayMs - 1_000);
  await rowsOf(db, ticketsSql, [
    ...[enterpriseId, services, buttons, ids, groups, first, last, days, count, userAgent],
  ]);
  await fillLastDay(db, enterpriseId, dayStart);
  await vacuum(db, "tickets");
  return {
    enterpriseId,
    agentId: ids[0] ?? 0,
    agentLogin: agents[0]?.login ?? "",
    serviceKey: keys[0] ?? "",
    groupId: groups[0] ?? 0,
    day: dayStart.toISOString().slice(0, 10),
  };
}
