import { expect } from "chai";
import { listConversations } from "../../src/conversations/store.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { listSilentRooms } from "../../src/rooms/participations-store.ts";
import { listLivePeople, listLiveRooms } from "../../src/rooms/live/store.ts";
import { listStatistics } from "../../src/rooms/statistics/store.ts";
import { findLatestSession } from "../../src/rooms/store.ts";
import { useDatabase } from "../support/database.ts";
import { explain, mostRead, mostReadInVain } from "../support/explain.ts";
import { aRoomFixture } from "../support/room-subjects.ts";

const count = 20_000;

describe("the query plans of rooms with 20,000 sessions", function () {
  this.timeout(60_000);
  const database = useDatabase();
  let enterpriseId = 0;

  /** Ended sessions of two people at one-minute intervals, each of a different ticket. */
  before("make many sessions", async () => {
    const { db } = database;
    const fixture = await aRoomFixture(db);
    ({ enterpriseId } = fixture);
    await rowsOf(
      db,
      `WITH given AS (SELECT n, gen_random_uuid() AS uid,
           CAST('2026-11-01T00:00:00Z' AS timestamptz) + n * interval '1 minute' AS at
         FROM generate_series(1, ?) AS n),
       conversation AS (
         INSERT INTO conversations (id, uid, enterprise_id, created_at)
         SELECT 1000000 + n, uid, CAST(? AS bigint), at FROM given),
       ticket AS (
         INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, agent_id, state,
           requestor_email, requestor_secret, information_code, start_time, end_time)
         SELECT ?, ?, ?, 1000000 + n, ?, 'done', 'jane@example.com', 's' || n, 'i' || n, at, at
         FROM given),
       session AS (
         INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, ended_at, end_reason,
           finished_at, billing_seconds, both_seconds, participant_count)
         SELECT uid, ?, 1000000 + n, at, at, 'ended', at, 60, 60, 2 FROM given)
       INSERT INTO participations (enterprise_id, session_id, participant, role, joined_at, last_seen_at,
         left_at)
       SELECT ?, uid, who, who, at, at, at FROM given, unnest(ARRAY['agent', 'requestor']) AS who`,
      [
        count,
        enterpriseId,
        enterpriseId,
        fixture.service.id,
        fixture.buttonId,
        fixture.agent.id,
        enterpriseId,
        enterpriseId,
      ],
    );
    await db.raw("ANALYZE conversations, tickets, sessions, participations");
  });

  const scope = () => ({ enterpriseId, userId: 1, groupIds: [], reach: "all" as const });

  it("read only the requested hour for the statistics", async () => {
    const since = new Date("2026-11-03T10:00:00Z");
    const until = new Date("2026-11-03T11:00:00Z");
    const filter = { since, until, kind: "ticket" as const, serviceKey: undefined, endedBy: until };
    const page = { orderby: "date", order: "desc", limit: 100, offset: 0 } as const;
    const plan = await explain(database.db, (trx) => listStatistics(trx, scope(), filter, page));
    expect(plan).to.match(/sessions_finished/u);
    expect(mostRead(plan), plan).to.be.at.most(60);
    expect(mostReadInVain(plan), plan).to.be.at.most(60);
  });

  it("read one page of the newest conversations", async () => {
    const page = { orderby: "date", order: "desc", limit: 10, offset: 0 } as const;
    const filter = { ticketId: undefined, conferenceId: undefined, since: undefined };
    const plan = await explain(database.db, (trx) => listConversations(trx, scope(), filter, page));
    expect(mostRead(plan), plan).to.be.at.most(100);
  });

  it("read a few rows for the sweeper and the newest session of a room", async () => {
    const plan = await explain(database.db, async (trx) => {
      await listSilentRooms(trx, new Date("2026-12-01T00:00:00Z"), { except: [], limit: 50 });
      await findLatestSession(trx, { enterpriseId, conversationId: 1_000_007 });
    });
    expect(mostRead(plan), plan).to.be.at.most(5);
    expect(mostReadInVain(plan), plan).to.be.at.most(5);
  });

  it("read only the running rooms", async () => {
    const now = new Date("2026-12-01T00:00:00Z");
    const opened = await rowsOf<{ id: string }>(
      database.db,
      `INSERT INTO sessions (id, enterprise_id, conversation_id, started_at)
       SELECT gen_random_uuid(), ?, id, ? FROM conversations WHERE id BETWEEN 1000001 AND 1000005
       RETURNING id`,
      [enterpriseId, now],
    );
    const sessionIds = opened.map(({ id }) => id);
    expect(sessionIds).to.have.length(5);
    const plan = await explain(database.db, async (trx) => {
      await listLiveRooms(trx, scope(), { order: "desc", limit: 100, offset: 0 });
      await listLivePeople(trx, enterpriseId, { sessionIds, now });
    });
    expect(plan).to.match(/sessions_open/u);
    expect(mostRead(plan), plan).to.be.at.most(20);
    expect(mostReadInVain(plan), plan).to.be.at.most(20);
  });
});
