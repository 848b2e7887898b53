import { expect } from "chai";
import { createAnonymization } from "../../../src/accounts/users/anonymize.ts";
import { randomIds } from "../../../src/platform/ids.ts";
import { createTasks, type RunningTask } from "../../../src/platform/tasks/task.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { aTicketRow, useAccounts, type Member } from "../../support/accounts-api.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";

describe("the anonymization of a deleted user", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  const { call, aMember } = accounts;
  const nobody = { email: "", phone: "", firstname: "", lastname: "" };

  const personOf = (name: string, email = `${name}@test.example`) => ({
    email,
    phone: "+33612345678",
    firstname: name,
    lastname: "Lee",
  });
  const aPerson = (name: string, columns: Record<string, unknown>) =>
    aMember({ role: "agent", ...personOf(name), ...columns });

  /**
   * A ticket with an entry, a participation and a chat message of the user. Without `agentId` the
   * entry is one of an older version.
   */
  const actsAs = async (
    user: Member,
    person: object,
    agentId: number | null = null,
  ): Promise<number> => {
    const { db } = database;
    const { enterprise_id, id: user_id, firstname: name } = user as Member & { firstname: string };
    const ticket = await aTicketRow(db, { enterpriseId: enterprise_id, agentId: user_id });
    const conversation = { enterprise_id, conversation_id: ticket.conversationId };
    await db("session_events").insert({
      ...{ ...conversation, ticket_id: ticket.id, source: "agent" },
      ...{ event_type: "ticket.assigned", event_code: 3, agent_id: agentId },
      attributes: JSON.stringify({ agent: person, oldPriority: 1 }),
      created_at: new Date("2026-11-01T12:00:00Z"),
    });
    const session = { id: randomIds.uuid(), ...conversation, started_at: new Date() };
    await db("sessions").insert(session);
    const times = { joined_at: new Date(), last_seen_at: new Date() };
    await db("participations").insert({
      ...{ enterprise_id, session_id: session.id, participant: "a", role: "agent" },
      ...{ user_id, name, user_agent: "Firefox", ...times },
    });
    await db("chat_messages").insert({
      ...{ ...conversation, author: "agent", user_id, name, text: "Hello" },
    });
    return ticket.id;
  };

  const keptOf = async (ticketId: number) => {
    const [kept] = await rowsOf<Record<string, unknown>>(
      database.db,
      `SELECT e.attributes, p.name AS participant, p.user_agent, m.name AS author, m.text
         FROM tickets t JOIN session_events e ON e.ticket_id = t.id
         JOIN sessions s ON s.conversation_id = t.conversation_id
         JOIN participations p ON p.session_id = s.id
         JOIN chat_messages m ON m.conversation_id = t.conversation_id WHERE t.id = ?`,
      [ticketId],
    );
    return kept;
  };

  /** Runs the open task like a worker, until there is none. Returns the number of its steps. */
  const runTasks = async (user: Member): Promise<number> => {
    const { db } = database;
    const clock = createTestClock();
    const tasks = createTasks({ clock, wake: () => undefined });
    const anonymize = createAnonymization({ db, clock, tasks })["user.anonymize"];
    for (let steps = 0; ; steps += 1) {
      const [open] = await rowsOf<RunningTask & { enterprise_id: number }>(
        db,
        `UPDATE tasks SET state = 'done', ended_at = now()
          WHERE key = ? AND state = 'waiting' RETURNING *`,
        [`user:${user.id}`],
      );
      if (open === undefined) {
        return steps;
      }
      const task = { ...open, enterpriseId: open.enterprise_id, attempt: 1 };
      await anonymize?.(task, new AbortController().signal);
    }
  };

  it("removes their name from timelines, calls and chats, and nobody else's", async () => {
    const admin = await aMember();
    const { enterprise_id } = admin;
    const ann = await aPerson("Ann", { enterprise_id });
    const bob = await aPerson("Bob", { enterprise_id });
    const elsewhere = await aPerson("Ann", {});
    const ofAnn = [await actsAs(ann, personOf("Ann")), await actsAs(ann, personOf("Ann"))];
    const others = [
      await actsAs(bob, personOf("Bob")),
      await actsAs(elsewhere, personOf("Ann")),
    ] as const;
    const before = await Promise.all(others.map(keptOf));
    expect((await call(`DELETE /users/${ann.id}`, { as: admin })).status).to.equal(204);
    const [planned] = await database.db("tasks").where({ key: `user:${ann.id}` });
    expect(JSON.stringify(planned)).to.not.contain("Ann");
    expect(await runTasks(ann)).to.equal(2);
    for (const ticketId of ofAnn) {
      expect(await keptOf(ticketId)).to.deep.equal({
        attributes: { agent: nobody, oldPriority: 1 },
        participant: "",
        user_agent: null,
        author: "",
        text: "Hello",
      });
    }
    expect(await Promise.all(others.map(keptOf))).to.deep.equal(before);
  });

  it("finds entries under an earlier name, and leaves those of a namesake", async () => {
    const admin = await aMember();
    const { enterprise_id } = admin;
    const zoes = [
      await aPerson("Zoe", { enterprise_id }),
      await aPerson("Zoe", { enterprise_id }),
    ] as const;
    const asAgent = (zoe: Member, name: string) => actsAs(zoe, personOf(name), zoe.id);
    const ofZoe = [await asAgent(zoes[0], "Zoe"), await asAgent(zoes[0], "Zora")];
    const ofNamesake = await asAgent(zoes[1], "Zoe");
    const before = await keptOf(ofNamesake);
    await call(`DELETE /users/${zoes[0].id}`, { as: admin });
    await runTasks(zoes[0]);
    for (const ticketId of ofZoe) {
      expect((await keptOf(ticketId))?.["attributes"]).to.deep.equal({
        agent: nobody,
        oldPriority: 1,
      });
    }
    expect(await keptOf(ofNamesake)).to.deep.equal(before);
  });

  it("keeps the entries of others with the same name or address, and of a later account", async () => {
    const admin = await aMember();
    const { enterprise_id } = admin;
    const desk = "desk@test.example";
    const ann = await aPerson("Ann", { enterprise_id, email: desk });
    const bob = await aPerson("Bob", { enterprise_id, email: desk });
    const twins = [
      await aPerson("Zoe", { enterprise_id, email: "" }),
      await aPerson("Zoe", { enterprise_id, email: "" }),
    ] as const;
    const kept = [
      await actsAs(bob, personOf("Bob", desk)),
      await actsAs(twins[1], personOf("Zoe", "")),
      await actsAs(admin, nobody),
    ];
    const before = await Promise.all(kept.map(keptOf));
    const nameless = await aMember({ enterprise_id, role: "agent" });
    for (const user of [ann, twins[0], nameless]) {
      await call(`DELETE /users/${user.id}`, { as: admin });
    }
    const later = await actsAs(admin, personOf("Ann", desk));
    await database
      .db("session_events")
      .where({ ticket_id: later })
      .update({
        created_at: new Date("2030-01-01"),
      });
    const ofLater = await keptOf(later);
    for (const user of [ann, twins[0], nameless]) {
      await runTasks(user);
    }
    expect(await Promise.all(kept.map(keptOf))).to.deep.equal(before);
    expect(await keptOf(later)).to.deep.equal(ofLater);
  });

  it("finds a name with any spaces, and keeps the order of the members", async () => {
    const admin = await aMember();
    const { enterprise_id } = admin;
    const odd = { ...personOf("Zoe", ""), lastname: "\u00a0Lee " };
    const zoe = await aPerson("Zoe", { enterprise_id, email: "", lastname: odd.lastname });
    const ticketId = await actsAs(zoe, odd);
    await call(`DELETE /users/${zoe.id}`, { as: admin });
    await runTasks(zoe);
    const [row] = await rowsOf<{ text: string }>(
      database.db,
      "SELECT attributes::text AS text FROM session_events WHERE ticket_id = ?",
      [ticketId],
    );
    expect(row?.text).to.equal(JSON.stringify({ agent: nobody, oldPriority: 1 }));
  });
});
