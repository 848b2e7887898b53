import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { createPhoneHash } from "../../src/platform/phone-hash.ts";
import { purgeDeletedTickets } from "../../src/tickets/purge.ts";
import { useDatabase } from "../support/database.ts";
import { agreed, useGuests } from "../support/guests.ts";
import { testKey } from "../support/secret-box.ts";

const day = 86_400_000;

describe("purging deleted tickets", () => {
  const database = useDatabase();
  const harness = useGuests(database);
  const hashPhone = createPhoneHash(testKey);
  const purge = () => purgeDeletedTickets({ ...harness.features.deps, hashPhone });

  const count = async (table: string, ticketId: number, column = "ticket_id"): Promise<number> =>
    (await rowsOf(database.db, "SELECT 1 FROM ?? WHERE ?? = ?", [table, column, ticketId])).length;

  /** A deleted ticket with related rows of every kind. */
  const used = async () => {
    const { id, secret } = await harness.invite({ scope: "sso" });
    const { guest, post } = await harness.enter(secret);
    await post("consent", agreed);
    await post("devices", { camera: true, microphone: true });
    await harness.call(`POST /tickets/${id}/position-requests`, { as: harness.fixture.agent });
    const { enterpriseId, conversationId } = guest;
    const at = harness.features.clock.now();
    await database.db("sessions").insert({
      id: guest.visit,
      enterprise_id: enterpriseId,
      conversation_id: conversationId,
      started_at: at,
      ended_at: at,
      end_reason: "ended",
      finished_at: at,
      billing_seconds: 60,
    });
    await database.db("participations").insert({
      enterprise_id: enterpriseId,
      session_id: guest.visit,
      participant: "requestor",
      role: "requestor",
      name: "Jane",
      user_agent: "Browser",
      joined_at: at,
      last_seen_at: at,
      left_at: at,
    });
    await post("survey", { questions: [{ id: 1, answer: "Satisfied" }], feedback: "Fine" });
    await database.db("chat_messages").insert({
      enterprise_id: enterpriseId,
      conversation_id: conversationId,
      author: "guest",
      name: "Jane",
      text: "Hello",
    });
    await harness.call(`DELETE /tickets/${id}`, { as: harness.fixture.admin });
    return { id, guest };
  };

  const ofCustomer = [
    "session_events",
    "survey_answers",
    "position_requests",
    "guest_answers",
    "consents",
    "invitations",
  ];

  it("removes customer data after 30 days, and keeps anonymous statistics", async () => {
    const { id, guest } = await used();
    for (const table of ofCustomer) {
      expect(await count(table, id), table).to.be.greaterThan(0);
    }
    harness.features.clock.advance(30 * day - 1);
    expect(await purge()).to.equal(0);
    harness.features.clock.advance(2);
    expect(await purge()).to.equal(1);
    expect(await purge()).to.equal(0);
    expect(await count("tickets", id, "id")).to.equal(0);
    for (const table of [...ofCustomer, "tokens", "messages"]) {
      expect(await count(table, id), table).to.equal(0);
    }
    const { conversationId } = guest;
    expect(await count("chat_messages", conversationId, "conversation_id")).to.equal(0);
    const participations = await rowsOf(
      database.db,
      `SELECT s.billing_seconds, y.name, y.user_agent FROM sessions s
        JOIN participations y ON y.session_id = s.id WHERE s.conversation_id = ?`,
      [conversationId],
    );
    expect(participations).to.deep.equal([{ billing_seconds: 60, name: "", user_agent: null }]);
    const messages = await rowsOf(
      database.db,
      "SELECT channel, recipient, subject, text, html, calendar FROM messages WHERE ticket_id IS NULL",
    );
    expect(messages).to.deep.equal([
      { channel: "email", recipient: "", subject: "", text: "", html: null, calendar: null },
    ]);
  });

  it("keeps who got an SMS as a keyed hash only, once per enterprise, for 400 days", async () => {
    const phone = "+33612345693";
    for (const reference of ["A", "B"]) {
      const { id } = await harness.invite({ phone, reference });
      await harness.call(`DELETE /tickets/${id}`, { as: harness.fixture.admin });
    }
    harness.features.clock.advance(31 * day);
    expect(await purge()).to.equal(2);
    const kept = () =>
      rowsOf(database.db, "SELECT enterprise_id, phone_hash FROM purged_recipients");
    const own = { enterprise_id: harness.fixture.enterpriseId, phone_hash: hashPhone(phone) };
    expect(await kept()).to.deep.equal([own]);
    const ageBy = (days: number) =>
      rowsOf(database.db, "UPDATE purged_recipients SET purged_at = ?", [
        new Date(harness.features.clock.now().getTime() - days * day),
      ]);
    await ageBy(399);
    await purge();
    expect(await kept()).to.deep.equal([own]);
    await ageBy(401);
    await purge();
    expect(await kept()).to.deep.equal([]);
  });

  it("ignores tickets that are not deleted", async () => {
    const { id } = await harness.invite();
    harness.features.clock.advance(365 * day);
    await purge();
    expect(await count("tickets", id, "id")).to.equal(1);
  });

  it("finds a ticket's files by an index, deleted ones too", async () => {
    const plan = await database.db.transaction(async (trx) => {
      await rowsOf(trx, "SET LOCAL enable_seqscan = off");
      const sql = "EXPLAIN (COSTS OFF) SELECT FROM media WHERE enterprise_id = 1 AND ticket_id = 1";
      return rowsOf<Record<string, string>>(trx, sql);
    });
    const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(lines).to.match(/using media_ticket|on media_ticket/u);
  });

  it("waits for a ticket's files", async () => {
    const { id, guest } = await used();
    await database.db("media").insert({
      enterprise_id: guest.enterpriseId,
      hash: guest.visit,
      ticket_id: id,
      conversation_id: guest.conversationId,
      source_type: "ticket_share",
      title: "x",
      filename: "x",
    });
    harness.features.clock.advance(31 * day);
    expect(await purge()).to.equal(0);
    await database.db("media").where({ ticket_id: id }).del();
    expect(await purge()).to.equal(1);
  });
});
