import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { aGuest } from "../support/room-subjects.ts";
import { useRooms } from "../support/rooms.ts";

const rounds = 15;

describe("concurrent callers of one room", function () {
  this.timeout(20_000);
  const database = useDatabase();
  const rooms = useRooms(database);

  const count = (words: readonly string[], start: string): number =>
    words.filter((word) => word.startsWith(start)).length;

  const repeat = async (race: () => Promise<void>): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      await race();
    }
  };

  it("end it once", () =>
    repeat(async () => {
      const { subject, agent, customer } = await rooms.both();
      await rooms.join(agent);
      await rooms.join(customer);
      const colleague = aGuest(subject, "agent");
      const ended = await Promise.all(
        [agent, colleague, agent].map((guest) => rooms.feature.rooms.end(guest)),
      );
      expect(ended.filter(Boolean)).to.have.length(1);
      expect(count(rooms.words(subject), "sessionEnded")).to.equal(1);
      expect(count(rooms.words(subject), "participantLeft")).to.equal(2);
      expect(await rooms.events(subject)).to.have.length(1);
    }));

  it("join an old session or a new one while it is being ended", () =>
    repeat(async () => {
      const { subject, agent, customer } = await rooms.both();
      await rooms.join(agent);
      const [joined, ended] = await Promise.all([
        rooms.join(customer),
        rooms.feature.rooms.end(agent),
      ]);
      expect(ended).to.equal(true);
      const { sessionId } = joined as { sessionId: string };
      const sessions = await rooms.sessions(subject);
      const mine = sessions.find(({ id }) => id === sessionId);
      const [participation] = await database
        .db("participations")
        .where({ participant: customer.participant });
      expect(participation.left_at === null).to.equal(mine?.ended_at === null);
      expect(count(rooms.words(subject), "sessionStarted")).to.equal(sessions.length);
      expect(count(rooms.words(subject), "sessionEnded")).to.equal(1);
      expect(await rooms.events(subject)).to.have.length(1);
    }));

  it("start one session when they join first, with one meeting", () =>
    repeat(async () => {
      const { subject, agent, customer } = await rooms.both();
      const joined = await Promise.all([agent, customer, agent, customer].map(rooms.join));
      const ids = joined.map((one) => (one.outcome === "joined" ? one.sessionId : ""));
      expect(new Set(ids).size).to.equal(1);
      expect(rooms.words(subject)).to.have.members([
        "sessionStarted",
        "agentContacted",
        "bothPresent",
      ]);
    }));

  it("have one participation when they join twice with one token", () =>
    repeat(async () => {
      const { agent } = await rooms.both();
      const joined = await Promise.all([agent, agent, agent].map(rooms.join));
      const wasPresent = joined.map((one) => one.outcome === "joined" && one.wasPresent);
      expect(wasPresent).to.have.members([false, true, true]);
      const participations = await database
        .db("participations")
        .where({ participant: agent.participant });
      expect(participations).to.have.length(1);
    }));

  it("leave once when they leave, are swept and are ended", () =>
    repeat(async () => {
      const { subject, agent, customer } = await rooms.both();
      await rooms.join(agent);
      const { sessionId } = (await rooms.join(customer)) as { sessionId: string };
      rooms.feature.clock.advance(20_000);
      const { rooms: calls } = rooms.feature;
      await Promise.all([
        calls.leave(customer),
        calls.sweep(),
        calls.end(agent),
        calls.heartbeat([customer, agent].map((guest) => ({ ...guest, sessionId }))),
        calls.sweep(),
      ]);
      expect(count(rooms.words(subject), "participantLeft requestor")).to.equal(1);
      expect(count(rooms.words(subject), "participantLeft agent")).to.equal(1);
      expect(count(rooms.words(subject), "sessionEnded")).to.equal(1);
      expect(await rooms.events(subject)).to.have.length(1);
    }));
});
