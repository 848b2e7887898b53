import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { useRooms } from "../support/rooms.ts";

function at(time: string): Date {
  return new Date(`2026-11-20T${time}Z`);
}

describe("a room without heartbeats", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const { both } = rooms;

  it("ends a participation after 20 s, at its last heartbeat", async () => {
    const { subject, agent, customer } = await both();
    await rooms.join(agent);
    await rooms.join(customer);
    await rooms.pass(10, [agent, customer]);
    await rooms.pass(19, [agent]);
    expect(await rooms.feature.rooms.sweep()).to.equal(0);
    await rooms.pass(1, [agent]);
    expect(await rooms.feature.rooms.sweep()).to.equal(1);
    expect(await rooms.feature.rooms.sweep()).to.equal(0);
    const { events } = rooms.feature;
    expect(events.at(-1)).to.deep.include({
      word: "participantLeft requestor",
      at: at("10:00:10"),
    });
    const { sessionId } = (await rooms.join(agent)) as { sessionId: string };
    const heartbeat = { ...customer, sessionId };
    expect(await rooms.feature.rooms.heartbeat([heartbeat])).to.deep.equal([heartbeat]);
    expect(
      rooms.words(subject).filter((word) => word === "participantLeft requestor"),
    ).to.have.length(1);
  });

  it("ignores a late heartbeat, before and after the sweep", async () => {
    const { agent } = await both();
    const { sessionId } = (await rooms.join(agent)) as { sessionId: string };
    rooms.feature.clock.advance(20_000);
    expect(await rooms.feature.rooms.heartbeat([{ ...agent, sessionId }])).to.have.length(1);
  });

  it("ends a session without heartbeats for 60 s at once, as a crash", async () => {
    const { subject, agent, customer } = await both();
    await rooms.join(agent);
    await rooms.join(customer);
    await rooms.feature.rooms.established(agent);
    await rooms.pass(10, [agent]);
    await rooms.pass(5, [customer]);
    rooms.feature.clock.advance(60_001);
    expect(await rooms.feature.rooms.sweep()).to.equal(1);
    expect(rooms.words(subject).slice(4)).to.deep.equal([
      "participantLeft agent",
      "participantLeft requestor",
      "sessionEnded crash established",
    ]);
    expect((await rooms.sessions(subject))[0]).to.deep.include({
      end_reason: "crash",
      finished_at: at("10:00:15"),
      both_seconds: 10,
      billing_seconds: 60,
    });
    expect(rooms.feature.tasks.open.size).to.equal(0);
    expect(await rooms.events(subject)).to.have.length(1);
  });

  it("continues with other rooms if one cannot be settled", async () => {
    const [bad, valid] = [await both(), await both()];
    await rooms.join(bad.agent);
    await rooms.join(valid.agent);
    rooms.feature.clock.advance(30_000);
    rooms.feature.clock.advance(60_000);
    await database.db.raw(
      "ALTER TABLE sessions ADD CONSTRAINT only_here CHECK (ended_at IS NULL OR conversation_id <> ?) NOT VALID".replace(
        "?",
        String(bad.subject.conversationId),
      ),
    );
    try {
      expect(await rooms.feature.rooms.sweep()).to.equal(1);
    } finally {
      await database.db.raw("ALTER TABLE sessions DROP CONSTRAINT only_here");
    }
    expect(rooms.feature.errors).to.have.length(1);
    expect((await rooms.sessions(bad.subject))[0]?.ended_at).to.equal(null);
    expect((await rooms.sessions(valid.subject))[0]?.end_reason).to.equal("crash");
    expect(await rooms.feature.rooms.sweep()).to.equal(1);
  });

  it("stops between two rooms on a signal", async () => {
    const { agent } = await both();
    await rooms.join(agent);
    rooms.feature.clock.advance(30_000);
    expect(await rooms.feature.rooms.sweep(AbortSignal.abort())).to.equal(0);
    expect(await rooms.feature.rooms.sweep()).to.equal(1);
  });
});
