import { expect } from "chai";
import { useDatabase } from "../../support/database.ts";
import { useRoomApi } from "../../support/room-api.ts";
import { aGuest, aRoomConference, aRoomFixture } from "../../support/room-subjects.ts";
import { useRooms } from "../../support/rooms.ts";

describe("the quality of a session", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const api = useRoomApi(database);

  it("sums the times of a person who returned, without the time in between", async () => {
    const fixture = await aRoomFixture(database.db);
    const conference = await aRoomConference(database.db, fixture, fixture.organizer);
    const organizer = aGuest(conference, "organizer");
    const guest = aGuest(conference, "participant");
    const joined = await rooms.join(organizer);
    const id = joined.outcome === "joined" ? joined.sessionId : "";
    await rooms.join(guest);
    await rooms.pass(10, [organizer, guest], "fair");
    await rooms.feature.rooms.leave(guest);
    await rooms.pass(15, [organizer]);
    await rooms.join(guest);
    await rooms.pass(5, [organizer, guest], "poor");
    const qualities = (body: { participants: { quality: object }[] }) =>
      body.participants.map(({ quality }) => quality);
    const path = `GET /conferences/${conference.ref.id}/sessions`;
    const { body } = await api.call(path, { as: fixture.admin });
    const both = [1, 2].map(() => ({ good: 0, fair: 10, poor: 5 }));
    expect(qualities(body.data[0])).to.deep.equal(both);
    await rooms.feature.rooms.end(organizer);
    rooms.feature.clock.advance(300_000);
    api.clock.set(rooms.feature.clock.now());
    const ended = await api.call(`GET /sessions/${id}`, { as: fixture.admin });
    expect(qualities(ended.body)).to.deep.equal(both);
  });
});
