/**
 * A typical month of an enterprise, inserted directly into the tables, hundreds of rows per
 * statement.
 */
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";

const states = `(ARRAY['done','closed','done','invited','expired','declined','open','inprogress',
  'new','rejected','done','closed'])`;

/** Tickets on each of the last 30 days, with emails, SMS, calls and photos. */
const manyTickets = `
WITH place AS (
  SELECT e.id AS enterprise_id, s.id AS service_id, b.id AS button_id, u.id AS agent_id
  FROM enterprises e
  JOIN services s ON s.enterprise_id = e.id AND s.kind = 'ticket'
  JOIN buttons b ON b.service_id = s.id
  JOIN users u ON u.enterprise_id = e.id AND u.login = 'agent@demo.example'
  ORDER BY e.id, s.id, b.id LIMIT 1
), plan AS MATERIALIZED (
  SELECT gen_random_uuid() AS uid, day, nth, now() - make_interval(days => day, mins => nth) AS at
  FROM generate_series(0, 29) AS day, LATERAL generate_series(1, 4 + (day * 7) % 11) AS nth
), talks AS (
  INSERT INTO conversations (uid, enterprise_id) SELECT uid, enterprise_id FROM plan, place
  RETURNING id, uid
), made AS (
  INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, agent_id, state,
    reference, description, requestor_firstname, requestor_lastname, requestor_email,
    requestor_phone, requestor_secret, information_code, start_time, end_time, created_at)
  SELECT p.enterprise_id, p.service_id, p.button_id, t.id, p.agent_id,
    ${states}[1 + (day * 3 + nth) % 12], 'INT-2026-' || (day * 100 + nth),
    'Chaudière murale : perte de pression après redémarrage, voyant rouge fixe',
    (ARRAY['Amélie','Bénédicte','Charles-Édouard','Zoë'])[1 + nth % 4],
    (ARRAY['Lefèvre-Montalembert','Nguyễn','O’Brien','D’Hérouville'])[1 + day % 4],
    'client' || day || '.' || nth || '@example.com', '+3361234' || (1000 + day * 20 + nth),
    uid || 's', uid || 'i', at, at + interval '1 hour', at
  FROM plan JOIN talks t USING (uid), place p
  RETURNING id, enterprise_id, conversation_id, created_at
), sent AS (
  INSERT INTO messages (enterprise_id, channel, uid, ticket_id, recipient, text, status, created_at)
  SELECT enterprise_id, channel, gen_random_uuid(), id, 'client@example.com', 'Venez', 'sent',
    created_at
  FROM made, LATERAL unnest(CASE WHEN id % 3 = 0 THEN ARRAY['email','sms'] WHEN id % 3 = 1
    THEN ARRAY['email'] ELSE ARRAY['sms'] END) AS channel
  RETURNING id, enterprise_id, ticket_id, channel
), invited AS (
  INSERT INTO invitations (enterprise_id, ticket_id, message_id, channel)
  SELECT enterprise_id, ticket_id, id, channel FROM sent
), photos AS (
  INSERT INTO media (enterprise_id, hash, ticket_id, conversation_id, state, source_type, title,
    filename, mime_type)
  SELECT enterprise_id, gen_random_uuid(), id, conversation_id, 'completed', 'ticket_snapshot',
    'Photo', 'photo', CASE WHEN nth = 3 THEN 'video/webm' ELSE 'image/jpeg' END
  FROM made, LATERAL generate_series(1, id % 4) AS nth
)
INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, met_at, established_at,
  ended_at, finished_at, end_reason, billing_seconds, both_seconds, participant_count)
SELECT gen_random_uuid(), enterprise_id, conversation_id, created_at, created_at, created_at,
  created_at + interval '9 minutes', created_at + interval '9 minutes', 'ended', 540,
  120 + (id % 9) * 47, 2
FROM made WHERE id % 2 = 0`;

/** Meetings on each of the last 30 days, one to three per day, with their participants. */
const manyMeetings = `
WITH place AS (
  SELECT e.id AS enterprise_id, s.id AS service_id, u.id AS user_id
  FROM enterprises e
  JOIN services s ON s.enterprise_id = e.id AND s.kind = 'conference'
  JOIN users u ON u.enterprise_id = e.id AND u.login = 'admin@demo.example'
  ORDER BY e.id, s.id LIMIT 1
), plan AS MATERIALIZED (
  SELECT gen_random_uuid() AS uid, day, nth, 3 + (day + nth) % 5 AS people,
    now() - make_interval(days => day, hours => 1 + nth) AS at
  FROM generate_series(1, 29) AS day, LATERAL generate_series(1, 1 + day % 3) AS nth
), talks AS (
  INSERT INTO conversations (uid, enterprise_id) SELECT uid, enterprise_id FROM plan, place
  RETURNING id, uid, room_name
), made AS (
  INSERT INTO conferences (enterprise_id, service_id, conversation_id, name, status, room_name,
    short_code, sip_dtmf_code, organizer_id, created_by, start_time, end_time, created_at, ended_at)
  SELECT p.enterprise_id, p.service_id, t.id,
    (ARRAY['Comité de pilotage : migration du réseau de distribution Île-de-France','Daily',
      'Quarterly business review with the regional maintenance partners','Point chantier',
      'Entretien d’embauche'])[1 + (day + nth) % 5],
    'ended', t.room_name, substr(md5(uid::text), 1, 12),
    lpad((abs(hashtext(uid::text)) % 1000000000)::text, 9, '0'), p.user_id, p.user_id,
    at, at + interval '1 hour', at - interval '1 day', at + interval '50 minutes'
  FROM plan JOIN talks t USING (uid), place p
  RETURNING id, enterprise_id, conversation_id, start_time
), held AS (
  INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, met_at, ended_at,
    finished_at, end_reason, billing_seconds, participant_count)
  SELECT gen_random_uuid(), enterprise_id, conversation_id, start_time, start_time,
    start_time + interval '50 minutes', start_time + interval '50 minutes', 'ended',
    60 * (20 + id % 31), 3 + id % 5
  FROM made RETURNING id, enterprise_id, started_at, participant_count
)
INSERT INTO participations (enterprise_id, session_id, participant, role, name, joined_at, last_seen_at,
  left_at)
SELECT enterprise_id, id, 'guest:' || nth, CASE nth WHEN 1 THEN 'organizer' ELSE 'participant' END,
  (ARRAY['Martine Dubois','Jean-Baptiste Poquelin','Aïcha Benali','Sam'])[1 + nth % 4],
  started_at, started_at + make_interval(mins => 10 * nth), started_at + make_interval(mins => 10 * nth)
FROM held, LATERAL generate_series(1, participant_count) AS nth`;

export async function aBusyMonth(db: Db): Promise<void> {
  await rowsOf(db, manyTickets, []);
  await rowsOf(db, manyMeetings, []);
}
