import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { initialPeerState, type PeerState } from "../../../src/contracts/room-messages.ts";
import type { PeerRole } from "../../../src/contracts/signalling.ts";
import type { Guest } from "../../../src/http/route.ts";
import { keepPeersAlive, takeCall } from "../../../src/signalling/room/peer-store.ts";
import { useDatabase } from "../../support/database.ts";
import { useRoomApi } from "../../support/room-api.ts";
import { aGuest, aRoomConference, aRoomTicket, aRoomFixture } from "../../support/room-subjects.ts";
import { useRooms } from "../../support/rooms.ts";
import { aGroup, aTestUser, type TestUser } from "../../support/tickets.ts";

describe("the running rooms", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const api = useRoomApi(database);

  const fresh = async () => {
    const fixture = await aRoomFixture(database.db);
    const ticket = await aRoomTicket(database.db, fixture, { agent: fixture.agent });
    const conference = await aRoomConference(database.db, fixture, fixture.organizer);
    const list = async (as: TestUser = fixture.admin, query = "") => {
      api.clock.set(rooms.feature.clock.now());
      return api.call(`GET /rooms${query}`, { as });
    };
    return { fixture, ticket, conference, list };
  };

  const enter = async (guest: Guest): Promise<string> => {
    const joined = await rooms.join(guest);
    return joined.outcome === "joined" ? joined.sessionId : "";
  };

  /** The guest's page is connected, has joined the call, and reports this state. */
  const report = async (guest: Guest, state: Partial<PeerState>): Promise<void> => {
    const now = rooms.feature.clock.now();
    const peer = { ...guest, id: randomUUID(), role: guest.role as PeerRole };
    const reported = { ...initialPeerState, ...state };
    await keepPeersAlive(database.db, [{ ...peer, isInCall: true, state: reported }], now);
    await takeCall(database.db, peer, { participant: guest.participant, now });
  };

  it("list the people in the call and the state of their pages", async () => {
    const { fixture, ticket, list } = await fresh();
    await database
      .db("tickets")
      .where({ id: ticket.ref.id })
      .update({ reference: "CRM-7", requestor_firstname: "Jane", requestor_lastname: "Doe" });
    const agent = aGuest(ticket, "agent", { userId: fixture.agent.id, name: "Ada Agent" });
    const customer = aGuest(ticket, "requestor", { name: "Jane Doe" });
    const id = await enter(agent);
    await rooms.pass(10, [agent]);
    await enter(customer);
    await report(agent, { isRecording: true });
    await report(customer, { quality: "poor" });
    await database.db("sessions").where({ id }).update({ media_route: "livekit" });
    const { status, body, text } = await list();
    expect(status, text).to.equal(200);
    expect(body).to.deep.equal({
      total: 1,
      data: [
        {
          id,
          ...{ type: "ticket", subject_id: ticket.ref.id },
          ...{ name: "Jane Doe", reference: "CRM-7" },
          service: {
            id: fixture.service.id,
            key: fixture.service.service_key,
            name: body.data[0].service.name,
          },
          start_time: "2026-11-20T10:00:00+00:00",
          ...{ media_route: "livekit", is_recorded: true, supervision: "available" },
          people: [
            {
              ...{ name: "Ada Agent", role: "agent", user_id: fixture.agent.id },
              ...{ start_time: "2026-11-20T10:00:00+00:00", quality: "good" },
            },
            {
              ...{ name: "Jane Doe", role: "requestor", user_id: null },
              ...{ start_time: "2026-11-20T10:00:10+00:00", quality: "poor" },
            },
          ],
        },
      ],
    });
  });

  it("omit people who left, and the quality of a page that was closed", async () => {
    const { conference, list } = await fresh();
    const organizer = aGuest(conference, "organizer", { name: "Olga" });
    const guest = aGuest(conference, "participant", { name: "Paul" });
    await enter(organizer);
    await report(organizer, { quality: "fair", isRecording: true });
    await enter(guest);
    // Only the participation of the organizer is renewed: neither the page's lease nor Paul's.
    await rooms.pass(20, [organizer]);
    const [room] = (await list()).body.data;
    expect(room.people.map(({ name }: { name: string }) => name)).to.deep.equal(["Olga"]);
    expect([room.people[0].quality, room.is_recorded]).to.deep.equal([null, false]);
    expect([room.name, room.reference, room.type]).to.deep.equal(["Weekly", "", "conference"]);
    await rooms.feature.rooms.end(organizer);
    expect((await list()).body).to.deep.equal({ total: 0, data: [] });
  });

  it("are paged, newest first by default", async () => {
    const { ticket, conference, list } = await fresh();
    const first = await enter(aGuest(ticket, "agent"));
    rooms.feature.clock.advance(1_000);
    const second = await enter(aGuest(conference, "organizer"));
    const idsOf = async (query: string) =>
      (await list(undefined, query)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf("")).to.deep.equal([second, first]);
    expect(await idsOf("?order=asc")).to.deep.equal([first, second]);
    expect(await idsOf("?limit=1&offset=1")).to.deep.equal([first]);
  });

  it("are limited to the caller's reach, and never include another enterprise", async () => {
    const { fixture, ticket, conference, list } = await fresh();
    const ofTicket = await enter(aGuest(ticket, "agent"));
    const ofConference = await enter(aGuest(conference, "organizer"));
    const { enterpriseId } = fixture;
    const group = await aGroup(database.db, enterpriseId, `Group ${ofTicket}`);
    const member = { enterprise_id: enterpriseId, group_id: group, user_id: fixture.agent.id };
    await database.db("group_members").insert(member);
    const near = await aTestUser(database.db, enterpriseId, "manager", { groupIds: [group] });
    const far = await aTestUser(database.db, enterpriseId, "manager");
    const idsOf = async (as: TestUser) =>
      (await list(as)).body.data.map(({ id }: { id: string }) => id).toSorted();
    expect(await idsOf(fixture.admin)).to.deep.equal([ofTicket, ofConference].toSorted());
    expect(await idsOf(fixture.agent)).to.deep.equal([ofTicket]);
    expect(await idsOf(fixture.organizer)).to.deep.equal([ofConference]);
    expect(await idsOf(near)).to.deep.equal([ofTicket]);
    expect(await idsOf(far)).to.deep.equal([]);
    expect(await idsOf((await fresh()).fixture.admin)).to.deep.equal([]);
    const viewer = await aTestUser(database.db, enterpriseId, "viewer");
    expect((await list(viewer)).status).to.equal(403);
  });
});
