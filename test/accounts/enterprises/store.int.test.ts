import { expect } from "chai";
import { readUsage } from "../../../src/accounts/enterprises/store.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { aTicketRow, useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, mostReadInVain } from "../../support/explain.ts";
import { aUser } from "../../support/factories.ts";

describe("usage of an enterprise", () => {
  const database = useDatabase();
  const { call, aMember } = useAccounts(database);
  let admin: Member;
  beforeEach(async () => {
    admin = await aMember();
  });
  const own = () => `/enterprises/${admin.enterprise_id}`;

  const use = async () => {
    const { db } = database;
    const enterprise_id = admin.enterprise_id;
    await aUser(db, { enterprise_id, is_active: false });
    const ticket = await aTicketRow(db, { enterpriseId: enterprise_id });
    for (const at of ["2026-11-19T23:59:59Z", "2026-11-20T08:00:00Z", "2026-11-20T09:00:00Z"]) {
      await rowsOf(
        db,
        `INSERT INTO messages (enterprise_id, channel, uid, recipient, text, status, created_at,
           sent_at) VALUES (?, 'sms', gen_random_uuid(), '+33612345678', 'x', 'sent', ?, ?)`,
        [enterprise_id, at, at],
      );
      await rowsOf(
        db,
        `INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, ended_at,
           finished_at, end_reason, billing_seconds)
         VALUES (gen_random_uuid(), ?, ?, ?::timestamptz, ?::timestamptz, ?::timestamptz,
           'ended', 0)`,
        [enterprise_id, ticket.conversationId, at, at, at],
      );
    }
    for (const [bytes, deletedAt] of [
      [700, null],
      [42, null],
      [5_000, "2026-11-20T08:00:00Z"],
    ]) {
      await rowsOf(
        db,
        `INSERT INTO media (enterprise_id, hash, ticket_id, conversation_id, source_type, title, filename,
           bytes, deleted_at)
         VALUES (?, gen_random_uuid(), ?, ?, 'ticket_share', 'x', 'x', ?, ?)`,
        [enterprise_id, ticket.id, ticket.conversationId, bytes, deletedAt],
      );
    }
    await rowsOf(
      db,
      `INSERT INTO messages (enterprise_id, channel, uid, recipient, subject, text, sent_at)
       VALUES (?, 'email', gen_random_uuid(), 'x@x.example', 's', 'x', '2026-11-20T08:00:00Z')`,
      [enterprise_id],
    );
  };

  it("is counted in a period, by default the last 30 days", async () => {
    await use();
    const at = `GET ${own()}/statistics`;
    const { status, body } = await call(at, { as: admin });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      since: "2026-10-21T10:00:00+00:00",
      until: "2026-11-20T10:00:00+00:00",
      users: 1,
      disk_bytes: 742,
      sms_sent: 3,
      sessions: 3,
    });
    const day = await call(`${at}?since=2026-11-20&until=2026-11-20`, { as: admin });
    expect(day.body).to.deep.equal({
      since: "2026-11-20T00:00:00+00:00",
      until: "2026-11-21T00:00:00+00:00",
      users: 1,
      disk_bytes: 742,
      sms_sent: 2,
      sessions: 2,
    });
    for (const query of ["since=x", "until=2026-13-01", "since=2026-11-02&until=2026-11-01"]) {
      expect((await call(`${at}?${query}`, { as: admin })).status, query).to.equal(400);
    }
  });

  it("is read by indexes that end at the period", async () => {
    const { db } = database;
    const { enterprise_id } = admin;
    const ticket = await aTicketRow(db, { enterpriseId: enterprise_id });
    const old = "'2026-01-01'::timestamptz";
    await rowsOf(
      db,
      `INSERT INTO messages (enterprise_id, channel, uid, recipient, text, status, created_at,
         sent_at) SELECT ?, 'sms', gen_random_uuid(), '+33612345678', 'x', 'sent', ${old}, ${old}
       FROM generate_series(1, 2000)`,
      [enterprise_id],
    );
    await rowsOf(
      db,
      `INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, ended_at,
         finished_at, end_reason, billing_seconds)
       SELECT gen_random_uuid(), ?, ?, ${old}, ${old}, ${old}, 'ended', 0
       FROM generate_series(1, 2000)`,
      [enterprise_id, ticket.conversationId],
    );
    await db.raw("ANALYZE messages, sessions");
    const period = { since: new Date("2026-11-01"), until: new Date("2026-12-01") };
    const plan = await explain(db, (trx) => readUsage(trx, enterprise_id, period));
    expect(plan).to.contain("sessions_started").and.contain("messages_sent");
    expect(mostReadInVain(plan), plan).to.be.lessThan(100);
  });

  it("is compared with the quota, by what the checks of the quotas count", async () => {
    await use();
    const { db } = database;
    const { enterprise_id } = admin;
    for (const [status, error, created] of [
      ["sent", null, "2026-11-19T10:00:00Z"],
      ["queued", null, "2026-11-20T09:00:00Z"],
      ["failed", "unreachable", "2026-11-20T09:00:00Z"],
      ["failed", "quota_reached", "2026-11-20T09:00:00Z"],
      ["failed", "opted_out", "2026-11-20T09:00:00Z"],
      ["sent", null, "2026-11-19T09:59:59Z"],
    ]) {
      await rowsOf(
        db,
        `INSERT INTO messages (enterprise_id, channel, uid, recipient, text, status, error,
           created_at) VALUES (?, 'sms', gen_random_uuid(), '+33612345678', 'x', ?, ?, ?)`,
        [enterprise_id, status, error, created],
      );
    }
    const media = db("media").where({ enterprise_id });
    await media.clone().where({ bytes: 42 }).update({ received_bytes: 1_000 });
    await media.clone().where({ bytes: 700 }).update({ files_removed_at: new Date() });
    await database.db.raw("UPDATE enterprises SET max_users = 10 WHERE id = ?", [
      admin.enterprise_id,
    ]);
    const { status, body } = await call(`GET ${own()}/quota`, { as: admin });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      users: { used: 1, max: 10 },
      media_bytes: { used: 6_042, max: null },
      sms_per_day: { used: 6, max: 500 },
    });
  });
});
