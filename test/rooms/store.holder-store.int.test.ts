import { expect } from "chai";
import { isTokenHolderValid, type TokenHolder } from "../../src/rooms/store.ts";
import { useDatabase } from "../support/database.ts";
import { aGuest, type Subject } from "../support/room-subjects.ts";
import { useRooms } from "../support/rooms.ts";
import { aTestUser } from "../support/tickets.ts";

describe("the holder of a room token", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const holder = (subject: Subject, role: TokenHolder["role"], userId: number): TokenHolder => ({
    ...aGuest(subject, role),
    userId,
  });
  const isValid = (one: TokenHolder): Promise<boolean> => isTokenHolderValid(database.db, one);
  const somebody = () => aTestUser(database.db, rooms.fixture.enterpriseId, "agent");

  it("is valid as agent of a ticket until the ticket has another agent", async () => {
    const subject = await rooms.ticket();
    const agent = holder(subject, "agent", rooms.fixture.agent.id);
    expect(await isValid(agent)).to.equal(true);
    const other = await somebody();
    await database.db("tickets").where({ id: subject.ref.id }).update({ agent_id: other.id });
    expect(await isValid(agent)).to.equal(false);
    expect(await isValid(holder(subject, "agent", other.id))).to.equal(true);
  });

  it("is valid as former agent until they leave", async () => {
    const subject = await rooms.ticket();
    const agent = holder(subject, "agent", rooms.fixture.agent.id);
    await rooms.join(agent);
    const { id: agent_id } = await somebody();
    await database.db("tickets").where({ id: subject.ref.id }).update({ agent_id });
    expect(await isValid(agent)).to.equal(true);
    await rooms.feature.rooms.leave(agent);
    expect(await isValid(agent)).to.equal(false);
  });

  it("is valid as host of a meeting, and as colleague who takes part", async () => {
    const subject = await rooms.conference();
    const { organizer } = rooms.fixture;
    const other = await somebody();
    expect(await isValid(holder(subject, "organizer", organizer.id))).to.equal(true);
    expect(await isValid(holder(subject, "moderator", other.id))).to.equal(false);
    expect(await isValid(holder(subject, "participant", other.id))).to.equal(true);
    const { id } = subject.ref;
    await database.db("conferences").where({ id }).update({ moderator_id: other.id });
    expect(await isValid(holder(subject, "moderator", other.id))).to.equal(true);
  });

  it("is invalid if disabled, or in another enterprise", async () => {
    const subject = await rooms.conference();
    const other = await somebody();
    const participant = holder(subject, "participant", other.id);
    expect(await isValid({ ...participant, enterpriseId: 999_999_999 })).to.equal(false);
    await database.db("users").where({ id: other.id }).update({ is_active: false });
    expect(await isValid(participant)).to.equal(false);
  });
});
