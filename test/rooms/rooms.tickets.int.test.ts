import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import { aGuest } from "../support/room-subjects.ts";
import { asRunning } from "../support/rooms.ts";
import { inWords, eventsAbout } from "../support/tickets.ts";

describe("a ticket and its room", () => {
  const database = useDatabase();
  const acting = useActing(database);

  /** An invited ticket with its agent and a customer who consented. */
  const invited = async () => {
    const id = await acting.create({ invite: "1" });
    const { enterpriseId, agent } = acting.fixture;
    const [row] = await rowsOf<{ conversation_id: number }>(
      database.db,
      "SELECT conversation_id FROM tickets WHERE id = ?",
      [id],
    );
    const ref = { kind: "ticket", enterpriseId, id } as const;
    const subject = { ref, conversationId: row?.conversation_id ?? 0, uid: "" };
    const visit = randomUUID();
    await database.db("consents").insert({
      enterprise_id: enterpriseId,
      ticket_id: id,
      visit,
      text_version: "1",
      language: "en",
      network: "192.0.2.0/24",
      created_at: acting.api.features.clock.now(),
    });
    return {
      id,
      agentGuest: aGuest(subject, "agent", { userId: agent.id }),
      customer: aGuest(subject, "requestor", { visit }),
      /** Events after the invitation. */
      events: async () => {
        const words = inWords(await eventsAbout(database.db, id));
        return words.slice(words.lastIndexOf("ticket.invitationSent") + 1);
      },
      conversation: async () =>
        rowsOf<{ body: string }>(database.db, "SELECT body FROM events WHERE key = ?", [
          `conversation:${subject.conversationId}`,
        ]),
    };
  };

  const meet = async ({ agentGuest, customer }: Awaited<ReturnType<typeof invited>>) => {
    const { rooms } = acting.api.features;
    for (const guest of [agentGuest, customer]) {
      expect(await rooms.join({ guest, userAgent: null })).to.include({ outcome: "joined" });
    }
    await rooms.established(customer);
  };

  const meeting = [
    "session.agentContacted",
    "ticket.sessionStarted",
    "ticket update inprogress",
    "session.established",
  ];

  it("complete a call that the agent ends", async () => {
    const call = await invited();
    await meet(call);
    await acting.api.features.rooms.end(call.agentGuest);
    expect(await call.events()).to.deep.equal([
      ...meeting,
      "session.agentLeft",
      "session.userLeft",
      "ticket.completed",
      "ticket update done",
    ]);
    expect(await call.conversation()).to.have.length(1);
  });

  it("complete a call that is ended through the API", async () => {
    const call = await invited();
    await meet(call);
    expect((await acting.act(call.id, "complete")).status).to.equal(200);
    const notices = await call.events();
    expect(notices.slice(meeting.length)).to.deep.equal([
      "session.agentLeft",
      "session.userLeft",
      "ticket.completed",
      "ticket update done",
    ]);
    expect(await call.conversation()).to.have.length(1);
  });

  it("end a call whose ticket is cancelled, and reject later joins", async () => {
    const call = await invited();
    await meet(call);
    expect((await acting.act(call.id, "cancel")).status).to.equal(200);
    const notified = await call.events();
    expect(notified.slice(meeting.length)).to.deep.equal([
      "session.agentLeft",
      "session.userLeft",
      "ticket.cancelled",
      "ticket update closed",
    ]);
    const { rooms } = acting.api.features;
    expect(await rooms.join({ guest: call.agentGuest, userAgent: null })).to.deep.equal({
      outcome: "refused",
      reason: "over",
    });
  });

  it("return to invited if the media connection was never established", async () => {
    const call = await invited();
    const { rooms, clock } = acting.api.features;
    for (const guest of [call.agentGuest, call.customer]) {
      await rooms.join({ guest, userAgent: null });
    }
    await rooms.leave(call.customer);
    await rooms.leave(call.agentGuest);
    clock.advance(5 * 60_000);
    const tasks = await rowsOf<{ key: string; data: Record<string, unknown> }>(
      database.db,
      "SELECT key, data FROM tasks WHERE kind = 'session.empty' AND ended_at IS NULL",
    );
    for (const { key, data } of tasks) {
      const { enterpriseId } = acting.fixture;
      const task = { kind: "session.empty", key, data, enterpriseId, dueAt: clock.now() } as const;
      await rooms.taskHandlers["session.empty"]?.(asRunning(task), new AbortController().signal);
    }
    expect(await call.events()).to.deep.equal([
      "session.agentContacted",
      "ticket.sessionStarted",
      "ticket update inprogress",
      "session.userLeft",
      "session.agentLeft",
      "ticket update invited",
    ]);
  });

  it("reject a customer who consented to an earlier session", async () => {
    const call = await invited();
    await meet(call);
    const { rooms, clock } = acting.api.features;
    clock.advance(1_000);
    await rooms.end(call.agentGuest);
    expect(await rooms.join({ guest: call.customer, userAgent: null })).to.deep.equal({
      outcome: "refused",
      reason: "consent",
    });
  });
});
