import { expect } from "chai";
import { cleanAdmissions } from "../../src/rooms/admissions.ts";
import { useDatabase } from "../support/database.ts";
import { aGuest } from "../support/room-subjects.ts";
import { useRooms } from "../support/rooms.ts";

describe("the waiting room", () => {
  const database = useDatabase();
  const rooms = useRooms(database);

  const meeting = async () => {
    const subject = await rooms.conference();
    const organizer = aGuest(subject, "organizer", { userId: rooms.fixture.organizer.id });
    const waiting = aGuest(subject, "waiting", { name: "Jane" });
    return { subject, organizer, waiting };
  };

  it("keeps waiting guests out of the session, and starts none", async () => {
    const { subject, waiting } = await meeting();
    expect(await rooms.join(waiting)).to.deep.equal({ outcome: "refused", reason: "waiting" });
    expect(await rooms.feature.rooms.requestAdmission(waiting)).to.equal("waiting");
    expect(await rooms.join(waiting)).to.deep.equal({ outcome: "refused", reason: "waiting" });
    expect(await rooms.sessions(subject)).to.deep.equal([]);
  });

  it("lets the organizer see and admit waiting guests, as participants", async () => {
    const { subject, organizer, waiting } = await meeting();
    await rooms.feature.rooms.requestAdmission(waiting);
    rooms.feature.clock.advance(1_000);
    const second = aGuest(subject, "waiting", { name: "Joe" });
    await rooms.feature.rooms.requestAdmission(second);
    await rooms.feature.rooms.requestAdmission(waiting);
    expect(await rooms.feature.rooms.listWaiting(organizer)).to.deep.equal([
      {
        participant: waiting.participant,
        name: "Jane",
        askedAt: new Date("2026-11-20T10:00:00Z"),
      },
      {
        participant: second.participant,
        name: "Joe",
        askedAt: new Date("2026-11-20T10:00:01Z"),
      },
    ]);
    const { participant } = waiting;
    expect(await rooms.feature.rooms.admit(organizer, [participant])).to.deep.equal([participant]);
    expect(await rooms.feature.rooms.admit(organizer, [participant])).to.deep.equal([]);
    expect(await rooms.feature.rooms.requestAdmission(waiting)).to.equal("admitted");
    expect(await rooms.join(waiting)).to.deep.include({ outcome: "joined", role: "participant" });
    expect(await rooms.feature.rooms.admit(organizer, "all")).to.deep.equal([second.participant]);
    expect(await rooms.feature.rooms.listWaiting(organizer)).to.deep.equal([]);
  });

  it("is listed for each meeting, even while many wait at another", async () => {
    const [crowded, quiet] = [await meeting(), await meeting()];
    const { enterpriseId, conversationId } = crowded.waiting;
    await database.db.raw(
      `INSERT INTO admissions (enterprise_id, conversation_id, participant, visit, name, state, asked_at)
       SELECT ?, ?, 'guest-' || n, 'v', 'Guest ' || n, 'waiting', ? FROM generate_series(1, 300) n`,
      [enterpriseId, conversationId, rooms.feature.clock.now()],
    );
    rooms.feature.clock.advance(1_000);
    await rooms.feature.rooms.requestAdmission(quiet.waiting);
    const lists = await rooms.feature.rooms.listWaitingIn([crowded.waiting, quiet.waiting]);
    const listed = [crowded, quiet].map(({ waiting }) => lists.get(waiting.conversationId)?.length);
    expect(listed).to.deep.equal([200, 1]);
  });

  it("keeps a refused guest out until they open the link again", async () => {
    const { organizer, waiting } = await meeting();
    await rooms.feature.rooms.requestAdmission(waiting);
    await rooms.feature.rooms.deny(organizer, [waiting.participant]);
    expect(await rooms.feature.rooms.requestAdmission(waiting)).to.equal("denied");
    expect(await rooms.join(waiting)).to.deep.equal({ outcome: "refused", reason: "denied" });
    expect(await rooms.feature.rooms.requestAdmission({ ...waiting, visit: "again" })).to.equal(
      "waiting",
    );
  });

  it("lets an admitted guest be refused later, without a new request in between", async () => {
    const { organizer, waiting } = await meeting();
    await rooms.feature.rooms.requestAdmission(waiting);
    await rooms.feature.rooms.admit(organizer, "all");
    expect(await rooms.feature.rooms.requestAdmission({ ...waiting, visit: "again" })).to.equal(
      "admitted",
    );
    const { participant } = waiting;
    expect(await rooms.feature.rooms.deny(organizer, [participant])).to.deep.equal([participant]);
    expect(await rooms.join(waiting)).to.deep.equal({ outcome: "refused", reason: "denied" });
  });

  it("expires after 30 minutes", async () => {
    const { organizer, waiting } = await meeting();
    await rooms.feature.rooms.requestAdmission(waiting);
    rooms.feature.clock.advance(30 * 60_000 - 1);
    expect(await rooms.feature.rooms.requestAdmission(waiting)).to.equal("waiting");
    rooms.feature.clock.advance(1);
    expect(await rooms.feature.rooms.requestAdmission(waiting)).to.equal("expired");
    expect(await rooms.feature.rooms.listWaiting(organizer)).to.deep.equal([]);
    expect(await rooms.feature.rooms.admit(organizer, "all")).to.deep.equal([]);
    expect(await rooms.join(waiting)).to.deep.equal({ outcome: "refused", reason: "expired" });
  });

  it("is managed only by an organizer or moderator of the meeting", async () => {
    const { subject, waiting } = await meeting();
    const other = await meeting();
    await rooms.feature.rooms.requestAdmission(waiting);
    for (const by of [aGuest(subject, "participant"), waiting, other.organizer]) {
      expect(await rooms.feature.rooms.listWaiting(by)).to.deep.equal([]);
      expect(await rooms.feature.rooms.admit(by, "all")).to.deep.equal([]);
      expect(await rooms.feature.rooms.deny(by, [waiting.participant])).to.deep.equal([]);
    }
    const moderator = aGuest(subject, "moderator");
    expect(await rooms.feature.rooms.admit(moderator, "all")).to.have.length(1);
  });

  it("ends with the meeting", async () => {
    const { subject, waiting } = await meeting();
    rooms.feature.over.add(`conference ${subject.ref.id}`);
    expect(await rooms.feature.rooms.requestAdmission(waiting)).to.equal("over");
  });

  it("admits only former participants and hosts to a locked meeting", async () => {
    const { subject, organizer } = await meeting();
    const inside = aGuest(subject, "participant");
    await rooms.join(inside);
    rooms.feature.locked.add(`conference ${subject.ref.id}`);
    await rooms.feature.rooms.leave(inside);
    const locked = { outcome: "refused", reason: "locked" };
    expect(await rooms.join(aGuest(subject, "participant"))).to.deep.equal(locked);
    expect(await rooms.join(inside)).to.include({ outcome: "joined" });
    expect(await rooms.join(organizer)).to.include({ outcome: "joined" });
    await rooms.feature.rooms.end(organizer);
    expect(await rooms.join(inside)).to.deep.equal(locked);
  });

  it("is deleted after a day", async () => {
    const { waiting } = await meeting();
    await rooms.feature.rooms.requestAdmission(waiting);
    const after = (hours: number) => new Date(Date.UTC(2026, 10, 20, 10 + hours, 0, 1));
    const rows = () => database.db("admissions").where({ participant: waiting.participant });
    await cleanAdmissions(database.db, after(23));
    expect(await rows()).to.have.length(1);
    await cleanAdmissions(database.db, after(24));
    expect(await rows()).to.have.length(0);
  });
});
