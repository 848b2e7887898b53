import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { aGuest } from "../support/room-subjects.ts";
import { useRooms } from "../support/rooms.ts";

describe("heartbeats", () => {
  const database = useDatabase();
  const rooms = useRooms(database);

  it("of hundreds of participants are one statement", async () => {
    const subject = await rooms.conference();
    const guests = Array.from({ length: 300 }, () => aGuest(subject, "participant"));
    let sessionId = "";
    for (const guest of guests) {
      const joined = await rooms.join(guest);
      sessionId = joined.outcome === "joined" ? joined.sessionId : "";
    }
    rooms.feature.clock.advance(10_000);
    const statements: string[] = [];
    const count = ({ sql }: { sql: string }) => void statements.push(sql);
    database.db.on("query", count);
    const beats = guests.map((guest) => ({ ...guest, sessionId }));
    const stranger = { ...aGuest(subject, "participant"), sessionId };
    const gone = await rooms.feature.rooms.heartbeat([...beats, stranger, beats[0]!]);
    database.db.removeListener("query", count);
    expect(statements).to.have.length(1);
    expect(gone).to.deep.equal([stranger]);
    rooms.feature.clock.advance(15_000);
    expect(await rooms.feature.rooms.sweep()).to.equal(0);
  });

  it("do not query the database for an empty list", async () => {
    expect(await rooms.feature.rooms.heartbeat([])).to.deep.equal([]);
  });

  it("of another enterprise's participation are ignored", async () => {
    const subject = await rooms.conference();
    const guest = aGuest(subject, "organizer");
    const { sessionId } = (await rooms.join(guest)) as { sessionId: string };
    const heartbeat = { ...guest, sessionId, enterpriseId: guest.enterpriseId + 1_000_000 };
    expect(await rooms.feature.rooms.heartbeat([heartbeat])).to.deep.equal([heartbeat]);
  });
});
