import { expect } from "chai";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { useRooms } from "../support/rooms.ts";

const minute = 60_000;
function at(time: string): Date {
  return new Date(`2026-11-20T${time}Z`);
}

describe("the life of a ticket's room", () => {
  const database = useDatabase();
  const rooms = useRooms(database);

  const { both } = rooms;

  it("runs from the first join to the end, each event once and in order", async () => {
    const { subject, agent, customer } = await both();
    const { feature } = rooms;
    const first = await rooms.join(agent);
    expect(first).to.deep.include({ outcome: "joined", role: "agent", wasPresent: false });
    await rooms.pass(10, [agent]);
    expect(await feature.rooms.established(customer)).to.equal(false);
    await rooms.join(customer);
    await rooms.join(customer);
    expect(await feature.rooms.established(customer)).to.equal(true);
    expect(await feature.rooms.established(agent)).to.equal(false);
    await rooms.pass(61, [agent, customer]);
    expect(await feature.rooms.end(customer)).to.equal(false);
    expect(await feature.rooms.end(agent)).to.equal(true);
    expect(await feature.rooms.end(agent)).to.equal(false);
    expect(rooms.words(subject)).to.deep.equal([
      "sessionStarted",
      "agentContacted",
      "bothPresent",
      "established",
      "participantLeft agent",
      "participantLeft requestor",
      "sessionEnded ended established",
    ]);
    const [session, ...others] = await rooms.sessions(subject);
    expect(others).to.deep.equal([]);
    expect(session).to.deep.equal({
      id: first.outcome === "joined" ? first.sessionId : "",
      started_at: at("10:00:00"),
      met_at: at("10:00:10"),
      established_at: at("10:00:10"),
      ended_at: at("10:01:11"),
      end_reason: "ended",
      finished_at: at("10:01:11"),
      billing_seconds: 120,
      both_seconds: 61,
      participant_count: 2,
    });
    expect(feature.tasks.open.size).to.equal(0);
    const [name] = await database.db("conversations").where({ id: subject.conversationId });
    expect(await rooms.events(subject)).to.deep.equal([
      {
        event: "update",
        object: "conversation",
        objectId: subject.uid,
        props: {
          eventType: "conversationEnded",
          name: name.room_name,
          finishedAt: "2026-11-20T10:01:11+00:00",
        },
      },
    ]);
  });

  it("holds the room for 5 minutes after the last leave", async () => {
    const { subject, agent, customer } = await both();
    const { clock, runDueTasks } = rooms.feature;
    await rooms.join(agent);
    await rooms.join(customer);
    await rooms.pass(30, [agent, customer]);
    expect(await rooms.feature.rooms.leave(customer)).to.equal(true);
    expect(await rooms.feature.rooms.leave(customer)).to.equal(false);
    expect(await rooms.feature.rooms.leave(agent)).to.equal(true);
    clock.advance(5 * minute - 1);
    await runDueTasks();
    expect((await rooms.sessions(subject))[0]?.ended_at).to.equal(null);
    clock.advance(1);
    await runDueTasks();
    await runDueTasks();
    expect((await rooms.sessions(subject))[0]).to.deep.include({
      end_reason: "empty",
      finished_at: at("10:00:30"),
      ended_at: at("10:05:30"),
    });
    expect(rooms.words(subject).slice(-3)).to.deep.equal([
      "participantLeft requestor",
      "participantLeft agent",
      "sessionEnded empty",
    ]);
    expect(await rooms.events(subject)).to.have.length(1);
  });

  it("continues if a participant returns within 5 minutes, without a second meeting", async () => {
    const { subject, agent, customer } = await both();
    await rooms.join(agent);
    await rooms.join(customer);
    await rooms.feature.rooms.leave(agent);
    await rooms.feature.rooms.leave(customer);
    rooms.feature.clock.advance(4 * minute);
    await rooms.join(agent);
    expect([...rooms.feature.tasks.open.values()].map(({ kind }) => kind)).to.deep.equal([
      "session.limit",
    ]);
    await rooms.join(customer);
    await rooms.pass(2 * 60, [agent, customer]);
    await rooms.feature.runDueTasks();
    expect(await rooms.sessions(subject)).to.have.length(1);
    expect((await rooms.sessions(subject))[0]?.ended_at).to.equal(null);
    expect(rooms.words(subject).filter((word) => word === "bothPresent")).to.have.length(1);
  });

  it("checks again later if the timer of the empty room fires too early", async () => {
    const { agent } = await both();
    await rooms.join(agent);
    await rooms.feature.rooms.leave(agent);
    const [task] = [...rooms.feature.tasks.open.values()].filter(
      ({ kind }) => kind === "session.empty",
    );
    const outcome = await rooms.feature.rooms.taskHandlers["session.empty"]?.(
      { ...task!, id: 1, data: task!.data!, attempt: 1, generation: 1 },
      new AbortController().signal,
    );
    expect(outcome).to.deep.equal({ kind: "again", dueAt: at("10:05:00"), reason: "not yet" });
  });

  it("ends a session after 4 hours at most", async () => {
    const { subject, agent } = await both();
    await rooms.join(agent);
    await rooms.feature.rooms.leave(agent);
    rooms.feature.clock.advance(minute);
    await database
      .db("sessions")
      .where({ conversation_id: subject.conversationId })
      .update({
        started_at: new Date(rooms.feature.clock.now().getTime() - 4 * 60 * minute + 10_000),
      });
    await rooms.join(agent);
    await rooms.pass(15, [agent]);
    for (const task of rooms.feature.tasks.open.values()) {
      rooms.feature.tasks.open.set(`${task.kind} ${task.key}`, {
        ...task,
        dueAt: rooms.feature.clock.now(),
      });
    }
    await rooms.feature.runDueTasks();
    expect((await rooms.sessions(subject))[0]).to.deep.include({
      end_reason: "limit",
      finished_at: at("10:01:10"),
    });
    expect(rooms.feature.tasks.open.size).to.equal(0);
  });

  it("starts another session of the same conversation for a join after the end", async () => {
    const { subject, agent } = await both();
    const one = await rooms.join(agent);
    await rooms.feature.rooms.end(agent);
    rooms.feature.clock.advance(1_000);
    const two = await rooms.join(agent);
    expect(one.outcome === "joined" && two.outcome === "joined").to.equal(true);
    expect(await rooms.sessions(subject)).to.have.length(2);
    expect(rooms.words(subject)).to.deep.equal([
      "sessionStarted",
      "participantLeft agent",
      "sessionEnded ended",
      "sessionStarted",
    ]);
    const latest = await rooms.feature.rooms.findLatestSession(database.db, agent);
    expect(latest).to.deep.equal({
      id: two.outcome === "joined" ? two.sessionId : "",
      startedAt: at("10:00:01"),
      endedAt: null,
      finishedAt: null,
    });
    expect(await rooms.feature.rooms.hasOpenSession(database.db, agent)).to.equal(true);
  });

  it("keeps one participation for a participant who joins twice", async () => {
    const { subject, customer } = await both();
    await rooms.join(customer);
    rooms.feature.clock.advance(15_000);
    expect(await rooms.join(customer)).to.deep.include({ wasPresent: true });
    rooms.feature.clock.advance(15_000);
    expect(await rooms.feature.rooms.sweep()).to.equal(0);
    expect(
      await database.db("participations").where({ participant: customer.participant }),
    ).to.have.length(1);
    expect(rooms.words(subject)).to.deep.equal(["sessionStarted", "agentContacted"]);
  });

  describe("refuses", () => {
    const refused = (reason: string) => ({ outcome: "refused", reason });

    it("a customer who has not consented, without any change", async () => {
      const { subject, customer } = await both();
      rooms.feature.refused.add(customer.visit);
      expect(await rooms.join(customer)).to.deep.equal(refused("consent"));
      expect(await rooms.sessions(subject)).to.deep.equal([]);
      expect(rooms.words(subject)).to.deep.equal([]);
    });

    it("everyone once the ticket is over", async () => {
      const { subject, agent, customer } = await both();
      rooms.feature.over.add(`ticket ${subject.ref.id}`);
      expect(await rooms.join(agent)).to.deep.equal(refused("over"));
      expect(await rooms.join(customer)).to.deep.equal(refused("over"));
      expect(rooms.words(subject)).to.deep.equal([]);
    });

    it("a token of another conversation, of another enterprise, or of none", async () => {
      const { agent } = await both();
      const other = await both();
      for (const wrong of [
        { ...agent, conversationId: other.subject.conversationId },
        { ...agent, enterpriseId: agent.enterpriseId + 1_000_000 },
        { ...agent, ticketId: null },
      ]) {
        expect(await rooms.join(wrong)).to.deep.equal(refused("over"));
        expect(await rooms.feature.rooms.leave(wrong)).to.equal(false);
      }
    });
  });

  it("ends inside another transaction as well, and notifies the ticket", async () => {
    const { subject, agent, customer } = await both();
    await rooms.join(agent);
    await rooms.join(customer);
    const end = () => inTransaction(database.db, (trx) => rooms.feature.rooms.endRoom(trx, agent));
    expect(await end()).to.equal(true);
    expect(await end()).to.equal(false);
    expect(rooms.words(subject).slice(3)).to.deep.equal([
      "participantLeft agent",
      "participantLeft requestor",
      "sessionEnded ended",
    ]);
    expect((await rooms.sessions(subject))[0]?.end_reason).to.equal("ended");
    expect(await rooms.events(subject)).to.have.length(1);
  });

  it("rolls an end back with its transaction", async () => {
    const { subject, agent } = await both();
    await rooms.join(agent);
    const failure = await inTransaction(database.db, async (trx) => {
      await rooms.feature.rooms.endRoom(trx, agent);
      throw new Error("later");
    }).catch((error: Error) => error.message);
    expect(failure).to.equal("later");
    expect((await rooms.sessions(subject))[0]?.ended_at).to.equal(null);
    expect(await rooms.events(subject)).to.deep.equal([]);
    expect(await rooms.feature.rooms.leave(agent)).to.equal(true);
  });

  it("closes a session whose ticket is deleted, and appends its event", async () => {
    const { subject, agent } = await both();
    await rooms.join(agent);
    rooms.feature.clock.advance(61_000);
    const deleted_at = rooms.feature.clock.now();
    await database.db("tickets").where({ id: subject.ref.id }).update({ deleted_at });
    await inTransaction(database.db, (trx) => rooms.feature.rooms.endRoom(trx, agent));
    expect((await rooms.sessions(subject))[0]?.end_reason).to.equal("ended");
    expect(rooms.words(subject)).to.deep.equal(["sessionStarted"]);
    expect(await rooms.events(subject)).to.have.length(1);
  });
});
