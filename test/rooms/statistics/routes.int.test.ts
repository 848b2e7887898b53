import { expect } from "chai";
import { useDatabase } from "../../support/database.ts";
import { useRoomApi } from "../../support/room-api.ts";
import { aGuest, aRoomConference, aRoomTicket, aRoomFixture } from "../../support/room-subjects.ts";
import { useRooms } from "../../support/rooms.ts";
import { aGroup, aTestUser, type TestUser } from "../../support/tickets.ts";

describe("the statistics of sessions", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const api = useRoomApi(database);

  const fresh = async () => {
    const fixture = await aRoomFixture(database.db);
    const conference = await aRoomConference(database.db, fixture, fixture.organizer);
    const list = (query: string, as = fixture.admin) => {
      api.clock.set(rooms.feature.clock.now());
      return api.call(`GET /sessions${query}`, { as });
    };
    return { fixture, conference, list };
  };

  /** A two-person meeting from 10:00:00 to 10:01:10, ended by the organizer. */
  const meet = async (conference: Awaited<ReturnType<typeof fresh>>["conference"]) => {
    const organizer = aGuest(conference, "organizer", { userId: 1, name: "Olga" });
    const guest = aGuest(conference, "participant", { name: "Jane" });
    const joined = await rooms.join(organizer);
    await rooms.pass(10, [organizer]);
    await rooms.join(guest);
    await rooms.pass(20, [organizer, guest]);
    await rooms.feature.rooms.leave(guest);
    await rooms.pass(20, [organizer]);
    await rooms.join(guest);
    await rooms.pass(20, [organizer, guest]);
    await rooms.feature.rooms.end(organizer);
    return joined.outcome === "joined" ? joined.sessionId : "";
  };

  type Fixture = Awaited<ReturnType<typeof aRoomFixture>>;
  type Names = { enterprise: string; service: string };
  const statistic = (id: string, fixture: Fixture, names: Names) => ({
    id,
    start_time: "2026-11-20T10:00:00+00:00",
    end_time: "2026-11-20T10:01:10+00:00",
    billing_duration: 120,
    total_participant_count: 2,
    organizer: { id: fixture.organizer.id, name: fixture.organizer.login },
    enterprise: { id: fixture.enterpriseId, name: names.enterprise },
    service: { id: fixture.meetings.id, key: fixture.meetings.service_key, name: names.service },
    type: "conference",
  });

  const namesOf = async (fixture: Fixture): Promise<Names> => {
    const [enterprise] = await database.db("enterprises").where({ id: fixture.enterpriseId });
    const [service] = await database.db("services").where({ id: fixture.meetings.id });
    return { enterprise: String(enterprise.name), service: String(service.name) };
  };

  it("include a whole session from 300 s after its end on", async () => {
    const { fixture, conference, list } = await fresh();
    const id = await meet(conference);
    const day = { since: "2026-11-20T00:00:00+00:00", until: "2026-11-21T00:00:00+00:00" };
    rooms.feature.clock.advance(299_999);
    expect((await list("")).body).to.deep.equal({ total: 0, ...day, data: [] });
    api.clock.set(rooms.feature.clock.now());
    expect((await api.call(`GET /sessions/${id}`, { as: fixture.admin })).status).to.equal(404);
    rooms.feature.clock.advance(1);
    const names = await namesOf(fixture);
    const { status, body, headers } = await list("");
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      total: 1,
      ...day,
      data: [statistic(id, fixture, names)],
    });
    expect(Object.keys(body.data[0])).to.deep.equal(Object.keys(statistic(id, fixture, names)));
    expect(headers.get("x-total-count")).to.equal("1");
  });

  it("list each participant once", async () => {
    const { fixture, conference } = await fresh();
    const id = await meet(conference);
    rooms.feature.clock.advance(300_000);
    api.clock.set(rooms.feature.clock.now());
    const { body, text } = await api.call(`GET /session/${id}`, { as: fixture.admin });
    expect(body, text).to.deep.equal({
      ...statistic(id, fixture, await namesOf(fixture)),
      participants: [
        {
          name: "Olga",
          role: "organizer",
          user_id: 1,
          start_time: "2026-11-20T10:00:00+00:00",
          end_time: "2026-11-20T10:01:10+00:00",
          duration: 70,
          quality: null,
        },
        {
          name: "Jane",
          role: "participant",
          user_id: null,
          start_time: "2026-11-20T10:00:10+00:00",
          end_time: "2026-11-20T10:01:10+00:00",
          duration: 40,
          quality: null,
        },
      ],
    });
  });

  it("include tickets on request, with the agent as organizer", async () => {
    const { fixture, list } = await fresh();
    const withAgent = await aRoomTicket(database.db, fixture, { agent: fixture.agent });
    const without = await aRoomTicket(database.db, fixture);
    for (const subject of [withAgent, without]) {
      const agent = aGuest(subject, "agent");
      await rooms.join(agent);
      await rooms.feature.rooms.end(agent);
    }
    rooms.feature.clock.advance(300_000);
    expect((await list("")).body.total).to.equal(0);
    const { body } = await list("?type=ticket&orderby=start_time&order=asc");
    expect(body.data.map((one: { type: string }) => one.type)).to.deep.equal(["ticket", "ticket"]);
    expect(body.data.map((one: { organizer: object }) => one.organizer)).to.have.deep.members([
      { id: fixture.agent.id, name: "Ada Agent" },
      { id: 0, name: "" },
    ]);
    expect(body.data[0].billing_duration).to.equal(0);
    const [one, two] = body.data.map(({ id }: { id: string }) => id);
    const page = (await list("?type=ticket&orderby=start_time&order=asc&limit=1&offset=1")).body;
    expect([page.total, page.data.map(({ id }: { id: string }) => id)]).to.deep.equal([2, [two]]);
    const first = (await list("?type=ticket&orderby=start_time&order=asc&limit=1")).body;
    expect([first.total, first.data[0].id]).to.deep.equal([2, one]);
    expect((await list("?type=ticket&offset=7")).body).to.deep.include({ total: 2, data: [] });
    expect(body.data[0].service.key).to.equal(fixture.service.service_key);
  });

  it("require the key of an existing service, except from administrators", async () => {
    const { fixture, conference, list } = await fresh();
    await meet(conference);
    rooms.feature.clock.advance(300_000);
    const integration = await aTestUser(database.db, fixture.enterpriseId, "integration");
    const missing = await list("", integration);
    expect([missing.status, missing.body.code, missing.body.errors]).to.deep.equal([
      400,
      9,
      [{ field: "service_key", reason: "required" }],
    ]);
    const key = fixture.meetings.service_key;
    expect((await list(`?service_key=${key}`, integration)).body.total).to.equal(1);
    expect((await list(`?service_key=${fixture.service.service_key}`)).body.total).to.equal(0);
    const other = await fresh();
    const foreign = await list(`?service_key=${other.fixture.meetings.service_key}`, integration);
    expect([foreign.status, foreign.body.details]).to.deep.equal([400, "Parameter service_key"]);
  });

  it("reach as far as the caller does: another enterprise's do not exist", async () => {
    const { fixture, conference, list } = await fresh();
    const id = await meet(conference);
    rooms.feature.clock.advance(300_000);
    const { enterpriseId } = fixture;
    const group = await aGroup(database.db, enterpriseId, `Group ${id}`);
    const far = await aTestUser(database.db, enterpriseId, "manager");
    const near = await aTestUser(database.db, enterpriseId, "manager", { groupIds: [group] });
    await database.db("group_members").insert({
      enterprise_id: enterpriseId,
      group_id: group,
      user_id: fixture.organizer.id,
    });
    const query = `?service_key=${fixture.meetings.service_key}`;
    expect((await list(query, far)).body.total).to.equal(0);
    expect((await list(query, near)).body.total).to.equal(1);
    const get = async (as: TestUser) => (await api.call(`GET /sessions/${id}`, { as })).status;
    const other = await fresh();
    expect([
      await get(near),
      await get(far),
      await get(other.fixture.admin),
      await get(fixture.agent),
    ]).to.deep.equal([200, 403, 404, 403]);
  });

  it("test the period on the end, which is not part of it", async () => {
    const { conference, list } = await fresh();
    await meet(conference);
    rooms.feature.clock.advance(86_400_000);
    const total = async (since: string, until: string) =>
      (await list(`?since=2026-11-20T${since}Z&until=2026-11-20T${until}Z`)).body.total;
    expect(await total("10:01:10", "10:01:11")).to.equal(1);
    expect(await total("10:00:00", "10:01:10")).to.equal(0);
    expect(await total("10:01:11", "12:00:00")).to.equal(0);
    expect((await list("?since=2026-10-01&until=2026-11-20")).status).to.equal(400);
    expect((await list("?limit=1001")).status).to.equal(400);
  });

  it("list the sessions of a ticket, including a running one", async () => {
    const { fixture } = await fresh();
    const subject = await aRoomTicket(database.db, fixture, { agent: fixture.agent });
    const agent = aGuest(subject, "agent");
    const customer = aGuest(subject, "requestor");
    const joined = await rooms.join(agent);
    await rooms.join(customer);
    await rooms.pass(40, [agent, customer], "good");
    await rooms.pass(20, [agent, customer], "poor");
    await rooms.pass(5, [agent, customer]);
    await rooms.feature.rooms.end(agent);
    const again = await rooms.join(agent);
    const path = `GET /tickets/${subject.ref.id}/sessions`;
    const { body, text } = await api.call(path, { as: fixture.admin });
    expect(body, text).to.deep.equal({
      total: 2,
      data: [
        {
          id: again.outcome === "joined" ? again.sessionId : "",
          start_time: "2026-11-20T10:01:05+00:00",
          ...{ end_time: null, end_reason: null, billing_duration: null, call_duration: null },
          total_participant_count: 1,
          participants: [
            {
              ...{ name: "", role: "agent", user_id: null },
              ...{ start_time: "2026-11-20T10:01:05+00:00", end_time: null, quality: null },
            },
          ],
        },
        {
          id: joined.outcome === "joined" ? joined.sessionId : "",
          start_time: "2026-11-20T10:00:00+00:00",
          end_time: "2026-11-20T10:01:05+00:00",
          end_reason: "ended",
          billing_duration: 120,
          call_duration: 65,
          total_participant_count: 2,
          participants: ["agent", "requestor"].map((role) => ({
            ...{ name: "", role, user_id: null },
            start_time: "2026-11-20T10:00:00+00:00",
            end_time: "2026-11-20T10:01:05+00:00",
            quality: { good: 40, fair: 0, poor: 20 },
          })),
        },
      ],
    });
    const page = await api.call(`${path}?limit=1&offset=1&order=asc`, { as: fixture.admin });
    expect(page.body.data).to.have.length(1);
    expect(page.body.data[0].end_reason).to.equal(null);
    const other = await fresh();
    expect((await api.call(path, { as: other.fixture.admin })).status).to.equal(404);
  });

  it("list the sessions of a conference with present and former participants", async () => {
    const { fixture, conference } = await fresh();
    const first = await meet(conference);
    const guest = aGuest(conference, "participant", { name: "Paul" });
    const again = await rooms.join(guest);
    const path = `GET /conferences/${conference.ref.id}/sessions`;
    const ended = { end_time: "2026-11-20T10:01:10+00:00", quality: null };
    const { body, text, headers } = await api.call(path, { as: fixture.admin });
    expect(body, text).to.deep.equal({
      total: 2,
      data: [
        {
          id: again.outcome === "joined" ? again.sessionId : "",
          start_time: "2026-11-20T10:01:10+00:00",
          ...{ end_time: null, end_reason: null, billing_duration: null },
          total_participant_count: 1,
          participants: [
            {
              ...{ name: "Paul", role: "participant", user_id: null },
              ...{ start_time: "2026-11-20T10:01:10+00:00", end_time: null, quality: null },
            },
          ],
        },
        {
          id: first,
          start_time: "2026-11-20T10:00:00+00:00",
          end_time: ended.end_time,
          ...{ end_reason: "ended", billing_duration: 120, total_participant_count: 2 },
          participants: [
            {
              ...{ name: "Olga", role: "organizer", user_id: 1 },
              start_time: "2026-11-20T10:00:00+00:00",
              ...ended,
            },
            // Left for 20 s and rejoined: one merged participant.
            {
              ...{ name: "Jane", role: "participant", user_id: null },
              start_time: "2026-11-20T10:00:10+00:00",
              ...ended,
            },
          ],
        },
      ],
    });
    expect(headers.get("x-total-count")).to.equal("2");
    const page = await api.call(`${path}?limit=1&offset=1`, { as: fixture.admin });
    expect(page.body.data.map(({ id }: { id: string }) => id)).to.deep.equal([first]);
    const other = await fresh();
    expect((await api.call(path, { as: other.fixture.admin })).status).to.equal(404);
  });
});
