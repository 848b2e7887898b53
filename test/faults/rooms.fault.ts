/**
 * A `kill -9` of the process with the rooms, at a random time between joins, leaves and heartbeats,
 * loses no session: another process ends each of them once, with the durations of its
 * participations, and sends each event once. `FAULT_ROUNDS` sets the number of rounds.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { Guest } from "../../src/http/route.ts";
import { freePort } from "../support/free-port.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { faultRounds, useChance } from "../support/chance.ts";
import { eventually } from "../support/eventually.ts";
import type { Process } from "../support/processes.ts";
import { aGuest, aRoomTicket, aRoomFixture, type RoomFixture } from "../support/room-subjects.ts";
import { useStack, waitUntilReady } from "../support/stack.ts";

const secondsPerRound = 15;
const roomsPerRound = 6;

describe("rooms with a kill -9", function () {
  this.timeout((60 + faultRounds * secondsPerRound) * 1_000);
  const { processes, database, stack } = useStack("postgres");
  const chance = useChance();
  let fixture: RoomFixture;
  before("start the process that sweeps", async () => {
    fixture = await aRoomFixture(database.db);
    await stack.start("schedule");
  });

  /** A current ticket with its agent and a customer who has consented. */
  const aRoom = async (): Promise<[Guest, Guest]> => {
    const subject = await aRoomTicket(database.db, fixture, { agent: fixture.agent });
    await rowsOf(
      database.db,
      `UPDATE tickets SET start_time = now(), end_time = now() + interval '1 hour' WHERE id = ?`,
      [subject.ref.id],
    );
    const customer = aGuest(subject, "requestor");
    await rowsOf(
      database.db,
      `INSERT INTO consents (enterprise_id, ticket_id, visit, text_version, language,
         has_recording_notice, network, user_agent, created_at)
       VALUES (?, ?, ?, '1', 'en', false, '127.0.0.0/24', 'test', now())`,
      [fixture.enterpriseId, subject.ref.id, customer.visit],
    );
    return [aGuest(subject, "agent", { userId: fixture.agent.id }), customer];
  };

  const startRooms = async (rooms: readonly [Guest, Guest][]): Promise<Process> => {
    const port = String(await freePort());
    const one = processes.start({
      name: "rooms",
      file: "test/support/room-process.ts",
      env: { ...stack.env, METRICS_PORT: port, ROOMS: JSON.stringify(rooms) },
    });
    await waitUntilReady(one, `http://127.0.0.1:${port}`);
    return one;
  };
  const count = async (where: string): Promise<number> => {
    const rows = await rowsOf<{ found: number }>(
      database.db,
      `SELECT count(*) AS found FROM sessions s WHERE ${where}`,
    );
    return rows[0]?.found ?? 0;
  };
  /** Moves all timestamps of open sessions ten minutes into the past. */
  const ageByTenMinutes = async (): Promise<void> => {
    await rowsOf(
      database.db,
      `WITH open AS (
         UPDATE sessions SET started_at = started_at - interval '10 minutes',
           met_at = met_at - interval '10 minutes',
           established_at = established_at - interval '10 minutes'
         WHERE ended_at IS NULL RETURNING id)
       UPDATE participations SET joined_at = joined_at - interval '10 minutes',
         left_at = left_at - interval '10 minutes',
         last_seen_at = last_seen_at - interval '10 minutes'
       WHERE session_id IN (SELECT id FROM open)`,
    );
  };
  type Wrong = { id: string };
  /**
   * Finds sessions whose durations differ from the sum of their participations, as computed by
   * Postgres.
   */
  const findWrong = (): Promise<Wrong[]> =>
    rowsOf<Wrong>(
      database.db,
      `WITH times AS (
         SELECT session_id, count(DISTINCT participant) AS participants, max(left_at) AS over_at,
           range_agg(tstzrange(joined_at, left_at)) AS anybody,
           coalesce(range_agg(tstzrange(joined_at, left_at)) FILTER (WHERE role = 'agent')
             * range_agg(tstzrange(joined_at, left_at)) FILTER (WHERE role = 'requestor'),
             '{}') AS everybody,
           bool_and(left_at IS NOT NULL AND left_at <= greatest(joined_at, last_seen_at)
             OR left_at > last_seen_at AND left_at - last_seen_at < interval '20 seconds')
             AS are_over
         FROM participations GROUP BY session_id
       ), figures AS (
         SELECT t.*, (SELECT coalesce(sum(extract(epoch FROM upper(r) - lower(r))), 0)
             FROM unnest(anybody) AS r) AS present,
           (SELECT coalesce(sum(extract(epoch FROM upper(r) - lower(r))), 0)
             FROM unnest(everybody) AS r) AS together
         FROM times t
       )
       SELECT s.id, s.end_reason, s.billing_seconds, s.both_seconds, f.present, f.together,
         f.are_over, f.participants, s.participant_count
       FROM sessions s JOIN figures f ON f.session_id = s.id
       WHERE NOT f.are_over OR s.end_reason IS DISTINCT FROM 'crash'
         OR s.finished_at IS DISTINCT FROM f.over_at
         OR s.billing_seconds IS DISTINCT FROM (ceil(f.present / 60) * 60)::integer
         OR s.both_seconds IS DISTINCT FROM floor(f.together)::integer
         OR s.participant_count IS DISTINCT FROM f.participants OR f.participants <> 2`,
    );
  /** Counts the end events per conversation and ticket. */
  const countEndEvents = (): Promise<
    { conversations: number; ends: number; completed: number }[]
  > =>
    rowsOf(
      database.db,
      `SELECT count(*) AS conversations,
         sum((SELECT count(*) FROM events e WHERE e.key = 'conversation:' || s.conversation_id
           AND e.body::json->'props'->>'eventType' = 'conversationEnded'))::integer AS ends,
         sum((SELECT count(*) FROM session_events v JOIN tickets t ON t.id = v.ticket_id
           WHERE t.conversation_id = s.conversation_id AND t.state = 'done'
             AND v.event_type = 'ticket.completed'))::integer AS completed
       FROM sessions s`,
    );

  it(`${faultRounds} times at a random time: ended once, with the right durations`, async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const rooms = await Promise.all(Array.from({ length: roomsPerRound }, aRoom));
      const holder = await startRooms(rooms);
      await eventually(
        async () =>
          expect(await count("established_at IS NOT NULL")).to.equal((round + 1) * roomsPerRound),
        { timeoutMs: 20_000, everyMs: 20 },
      );
      await delay(chance.between(1, 800));
      await holder.kill();
      expect(await count("ended_at IS NULL")).to.equal(roomsPerRound);
      await ageByTenMinutes();
      await eventually(async () => expect(await count("ended_at IS NULL")).to.equal(0), {
        timeoutMs: 15_000,
        everyMs: 50,
      });
    }
    expect(await findWrong()).to.deep.equal([]);
    const all = faultRounds * roomsPerRound;
    expect(await countEndEvents()).to.deep.equal([
      { conversations: all, ends: all, completed: all },
    ]);
  });
});
