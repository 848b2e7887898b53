import { expect } from "chai";
import type { Guest } from "../../src/http/route.ts";
import { useDatabase } from "../support/database.ts";
import { aGuest } from "../support/room-subjects.ts";
import { useRooms } from "../support/rooms.ts";

describe("the consent to a recording", () => {
  const database = useDatabase();
  const rooms = useRooms(database);

  /** Whether a recording may start in the room, and whether a running one may continue. */
  const may = async (guest: Guest): Promise<{ start: boolean; grow: boolean }> => ({
    start: await rooms.feature.rooms.mayStartRecording(database.db, guest),
    grow: await rooms.feature.rooms.mayContinueRecording(database.db, guest),
  });
  const both = { start: true, grow: true };
  const neither = { start: false, grow: false };

  const join = async (guest: Guest): Promise<void> => {
    const { outcome } = await rooms.feature.rooms.join({ guest, userAgent: null });
    expect(outcome).to.equal("joined");
    rooms.feature.clock.advance(1_000);
  };

  const answer = async (guest: Guest, isAccepted: boolean): Promise<void> => {
    expect(await rooms.feature.rooms.answerRecording(guest, isAccepted)).to.equal(true);
    rooms.feature.clock.advance(1_000);
  };

  const aMeeting = async (): Promise<Record<"host" | "nia" | "joe", Guest>> => {
    const subject = await rooms.conference();
    return {
      host: aGuest(subject, "organizer", { userId: rooms.fixture.organizer.id }),
      nia: aGuest(subject, "participant", { participant: "guest-nia" }),
      joe: aGuest(subject, "participant", { participant: "guest-joe" }),
    };
  };

  it("is required in a meeting from everyone present except the hosts", async () => {
    const { host, nia, joe } = await aMeeting();
    await join(host);
    expect(await may(host), "the host alone").to.deep.equal(both);
    await join(nia);
    await join(joe);
    await answer(nia, true);
    expect(await may(host), "one of two").to.deep.equal(neither);
    await answer(joe, false);
    expect(await may(host), "one refused").to.deep.equal(neither);
    await answer(joe, true);
    expect(await may(host), "all agreed").to.deep.equal(both);
  });

  it("is required again from a participant who joins later, or rejoins", async () => {
    const { host, nia, joe } = await aMeeting();
    await join(host);
    await join(nia);
    await answer(nia, true);
    await join(joe);
    expect(await may(host), "a newcomer").to.deep.equal(neither);
    await rooms.feature.rooms.leave(joe);
    expect(await may(host), "the newcomer left").to.deep.equal(both);
    await rooms.feature.rooms.leave(nia);
    rooms.feature.clock.advance(1_000);
    await join(nia);
    expect(await may(host), "back, not asked again").to.deep.equal(neither);
    await answer(nia, true);
    expect(await may(host)).to.deep.equal(both);
  });

  it("ends with the session: the rest of a recording is accepted, a new one needs a new answer", async () => {
    const { agent, subject } = await rooms.both();
    const customer = aGuest(subject, "requestor", { participant: "requestor" });
    await join(agent);
    expect(await may(agent), "no customer yet").to.deep.equal({ start: false, grow: true });
    await join(customer);
    expect(await may(agent)).to.deep.equal(neither);
    await answer(customer, true);
    expect(await may(agent)).to.deep.equal(both);
    await rooms.feature.rooms.end(agent);
    expect(await may(agent), "after the end").to.deep.equal({ start: false, grow: true });
    await join(customer);
    expect(await may(agent), "the next session").to.deep.equal(neither);
  });
});
