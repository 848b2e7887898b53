import { expect } from "chai";
import { testBaseUrl } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { aService } from "../support/factories.ts";
import {
  aGroup,
  aTestUser,
  aTicketFixture,
  eventsAbout,
  useTicketApi,
  type TestUser,
  type TicketFixture,
} from "../support/tickets.ts";

const minute = 60_000;

describe("listing tickets", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  let fixture: TicketFixture;
  /** Five tickets a minute apart, oldest first. */
  const ids: number[] = [];
  let otherKey = "";

  before(async () => {
    fixture = await aTicketFixture(database.db);
    const { enterpriseId, agent, admin } = fixture;
    const other = await aService(database.db, { enterprise_id: enterpriseId });
    await database.db("buttons").insert({ enterprise_id: enterpriseId, service_id: other.id });
    otherKey = other.service_key;
    const second = await aTestUser(database.db, enterpriseId, "agent");
    for (const more of [
      { reference: "A", startTime: "2026-12-05T00:00:00Z" },
      { reference: "B", startTime: "2026-12-04T00:00:00Z" },
      { reference: "A", startTime: "2026-12-03T00:00:00Z", agent: second.login },
      { service_key: otherKey, startTime: "2026-12-02T00:00:00Z" },
      { invite: 1, startTime: "2026-12-01T00:00:00Z" },
    ]) {
      const json = { agent: agent.login, email: "jane@example.com", ...more };
      const { body } = await api.call("POST /tickets", { as: admin, json });
      ids.push(body.id);
      api.features.clock.advance(minute);
    }
    await api.call(`PATCH /tickets/${ids[0]}`, { as: admin, json: { name: "Jane" } });
    await database.db("tickets").where({ id: ids[1] }).update({ geoloc_lat: 1.5, geoloc_lng: 2.5 });
    const foreign = await aTicketFixture(database.db);
    await api.call("POST /tickets", {
      as: foreign.admin,
      json: { agent: foreign.agent.login, email: "x@example.com", reference: "A" },
    });
  });

  const list = (query: string, as: TestUser = fixture.admin) =>
    api.call(`GET /tickets?${query}`, { as });
  const numbers = (body: { data: { id: number }[] }) =>
    body.data.map(({ id }) => ids.indexOf(id) + 1);

  it("returns every match, newest first, with total and exactly the item's fields", async () => {
    const { status, body, headers } = await list("");
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(["total", "data"]);
    expect(body.total).to.equal(5);
    expect(numbers(body)).to.deep.equal([5, 4, 3, 2, 1]);
    expect(headers.get("x-total-count")).to.equal("5");
    const { body: read } = await api.call(`GET /tickets/${ids[1]}`, { as: fixture.admin });
    expect(JSON.stringify(body.data[3])).to.equal(
      JSON.stringify({
        id: ids[1],
        state: "new",
        reference: "B",
        created: "2026-11-20T10:01:00+00:00",
        modified: "2026-11-20T10:01:00+00:00",
        start_time: "2026-12-04T00:00:00+00:00",
        end_time: "2026-12-04T00:30:00+00:00",
        subject: null,
        type: "",
        description: null,
        agent: fixture.agent.login,
        requestor_url: read.requestor_url,
        requestor: { email: "jane@example.com" },
        information_page_url: read.information_page_url,
        service_key: fixture.service.service_key,
        geoloc: { lat: 1.5, lng: 2.5 },
      }),
    );
    expect(body.data[0].geoloc).to.equal(null);
  });

  const queries: [string, () => string, number[]][] = [
    ["a reference", () => "reference=A", [3, 1]],
    ["a part of the customer's address, in any case", () => "search=JANE%40exam", [5, 4, 3, 2, 1]],
    ["an id", () => `search=%23${ids[2]}`, [3]],
    ["a text without matches", () => "search=nobody%40", []],
    ["a sign that means anything elsewhere", () => "search=%25", []],
    ["a state", () => "state=invited", [5]],
    ["several states", () => "state=invited,new&order=asc", [1, 2, 3, 4, 5]],
    ["an agent, ignoring case", () => `agent=${fixture.agent.login.toUpperCase()}`, [5, 4, 2, 1]],
    ["an unknown agent", () => "agent=nobody", []],
    ["a service", () => `service_key=${otherKey}`, [4]],
    ["creation since", () => "since=2026-11-20T10:02:00%2B00:00", [5, 4, 3]],
    ["a timestamp whose plus was not encoded", () => "since=2026-11-20T10:02:00+00:00", [5, 4, 3]],
    ["creation until, the end not included", () => "until=2026-11-20T10:02:00Z", [2, 1]],
    ["a day", () => "since=2026-11-20&until=2026-11-20", [5, 4, 3, 2, 1]],
    ["another day", () => "since=2026-11-21", []],
    ["several filters", () => "reference=A&state=new&until=2026-11-20T10:01:00Z", [1]],
    ["the date, ascending", () => "orderby=date&order=asc", [1, 2, 3, 4, 5]],
    ["the last change", () => "orderby=modified", [1, 5, 4, 3, 2]],
    ["the planned start", () => "orderby=start_time", [1, 2, 3, 4, 5]],
    ["the id", () => "orderby=id&order=asc", [1, 2, 3, 4, 5]],
    [
      "nothing, where parameters are empty or unknown",
      () => "reference=&state=&since=",
      [5, 4, 3, 2, 1],
    ],
  ];
  for (const [what, query, expected] of queries) {
    it(`finds and sorts by ${what}`, async () => {
      const { status, body } = await list(query());
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(numbers(body)).to.deep.equal(expected);
      expect(body.total).to.equal(expected.length);
    });
  }

  it("pages, with the exact total and links", async () => {
    const { body, headers } = await list("limit=2&offset=2&reference=");
    expect(numbers(body)).to.deep.equal([3, 2]);
    expect(body.total).to.equal(5);
    expect(headers.get("x-total-count")).to.equal("5");
    expect(headers.get("link")).to.match(/offset=4[^>]*>; rel="next"/u);
    const last = await list("limit=2&offset=4");
    expect([numbers(last.body), last.body.total]).to.deep.equal([[1], 5]);
    const beyond = await list("limit=2&offset=40");
    expect([numbers(beyond.body), beyond.body.total]).to.deep.equal([[], 5]);
  });

  for (const [query, field] of [
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["limit=x", "limit"],
    ["offset=-1", "offset"],
    ["orderby=name", "orderby"],
    ["order=up", "order"],
    ["state=new,gone", "state"],
    ["since=yesterday", "since"],
    ["until=2026-02-30", "until"],
  ] as const) {
    it(`rejects ${query}`, async () => {
      const { status, body } = await list(query);
      expect(status).to.equal(400);
      expect(body).to.include({ code: 10, details: `Parameter ${field}` });
    });
  }
});

describe("reach of tickets", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  let fixture: TicketFixture;
  let users: Record<string, TestUser>;
  let tickets: Record<string, number>;

  before(async () => {
    const { db } = database;
    fixture = await aTicketFixture(db);
    const { enterpriseId, admin } = fixture;
    const north = await aGroup(db, enterpriseId, "North");
    const south = await aGroup(db, enterpriseId, "South");
    const foreign = await aTicketFixture(db);
    users = {
      agent: await aTestUser(db, enterpriseId, "agent", { groupIds: [north] }),
      colleague: await aTestUser(db, enterpriseId, "agent", { groupIds: [north] }),
      stranger: await aTestUser(db, enterpriseId, "agent", { groupIds: [south] }),
      viewer: await aTestUser(db, enterpriseId, "viewer", { groupIds: [north] }),
      manager: await aTestUser(db, enterpriseId, "manager", { groupIds: [north] }),
      integration: await aTestUser(db, enterpriseId, "integration"),
      admin,
      superadmin: await aTestUser(db, enterpriseId, "superadmin"),
      foreign: foreign.admin,
    };
    const create = async (agent: string, group?: number): Promise<number> => {
      const json = { agent: users[agent]?.login, email: "a@example.com", ...(group && { group }) };
      const { body, text } = await api.call("POST /tickets", { as: admin, json });
      expect(body.id, text).to.be.a("number");
      return body.id;
    };
    tickets = {
      own: await create("agent"),
      colleagues: await create("colleague"),
      strangers: await create("stranger"),
      strangersInNorth: await create("stranger", north),
    };
  });

  const expectations: Record<string, string[]> = {
    agent: ["own", "colleagues", "strangersInNorth"],
    viewer: ["own", "colleagues", "strangersInNorth"],
    manager: ["own", "colleagues", "strangersInNorth"],
    stranger: ["strangers", "strangersInNorth"],
    integration: ["own", "colleagues", "strangers", "strangersInNorth"],
    admin: ["own", "colleagues", "strangers", "strangersInNorth"],
    superadmin: ["own", "colleagues", "strangers", "strangersInNorth"],
    foreign: [],
  };
  for (const [who, reached] of Object.entries(expectations)) {
    it(`${who} lists and reads ${reached.join(", ") || "none"}`, async () => {
      const as = users[who] as TestUser;
      const { body } = await api.call("GET /tickets?orderby=id&order=asc", { as });
      expect(body.data.map(({ id }: { id: number }) => id)).to.deep.equal(
        reached.map((name) => tickets[name]),
      );
      for (const [name, id] of Object.entries(tickets)) {
        const { status, body: answer } = await api.call(`GET /tickets/${id}`, { as });
        const refused = who === "foreign" ? 404 : 403;
        expect(status, name).to.equal(reached.includes(name) ? 200 : refused);
        expect(answer.code, name).to.equal({ 200: undefined, 403: 6, 404: 8 }[status]);
      }
    });
  }

  const writes: [string, string, unknown][] = [
    ["PATCH", "", { subject: "x" }],
    ["POST", "/approve", undefined],
    ["POST", "/reject", undefined],
    ["POST", "/take", undefined],
    ["POST", "/complete", undefined],
    ["POST", "/cancel", undefined],
    ["POST", "/close", undefined],
    ["PUT", "/agent", { agent: "whoever" }],
    ["DELETE", "", undefined],
  ];
  const write = (as: TestUser | undefined, id: number | undefined, index: number) => {
    const [method, path, json] = writes[index] ?? ["", "", undefined];
    const call = { ...(as && { as }), ...(json === undefined ? {} : { json }) };
    return api.call(`${method} /tickets/${id}${path}`, call);
  };

  for (const [index, [method, path]] of writes.entries()) {
    it(`${method} /tickets/{ticketId}${path} rejects unauthorized callers`, async () => {
      const before = await eventsAbout(database.db, tickets["strangers"] ?? 0);
      const { foreign, agent, viewer, manager } = users;
      const strangers = tickets["strangers"];
      expect((await write(undefined, strangers, index)).status, "no token").to.equal(401);
      expect((await write(viewer, strangers, index)).status, "viewer").to.equal(403);
      expect((await write(agent, strangers, index)).status, "agent").to.equal(403);
      expect((await write(manager, strangers, index)).status, "manager").to.equal(403);
      expect((await write(foreign, strangers, index)).status, "other enterprise").to.equal(404);
      expect((await write(foreign, 99_999_999, index)).status, "unknown").to.equal(404);
      expect(await eventsAbout(database.db, tickets["strangers"] ?? 0)).to.deep.equal(before);
    });
  }

  it("reveals no ids to a caller without the role", async () => {
    const answers = await Promise.all(
      [tickets["own"], 99_999_999].map((id) =>
        api.call(`DELETE /tickets/${id}`, { as: users["viewer"] as TestUser }),
      ),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([403, 403]);
    expect(answers[0]?.body.detail).to.equal(answers[1]?.body.detail);
  });

  it("allows an agent to change own tickets, take those of the group, and decide on none", async () => {
    const as = users["agent"] as TestUser;
    const json = { subject: "x" };
    const patch = (name: string) => api.call(`PATCH /tickets/${tickets[name]}`, { as, json });
    expect((await patch("own")).status).to.equal(200);
    expect((await patch("colleagues")).status).to.equal(403);
    const approve = await api.call(`POST /tickets/${tickets["own"]}/approve`, { as });
    expect(approve.body).to.include({ status: 403, code: 6 });
    const take = await api.call(`POST /tickets/${tickets["colleagues"]}/take`, { as });
    expect([take.status, take.body.agent]).to.deep.equal([200, as.login]);
  });

  it("allows a manager to assign tickets to agents of own groups only", async () => {
    const as = users["manager"] as TestUser;
    const give = (agent: string) =>
      api.call(`PUT /tickets/${tickets["own"]}/agent`, {
        as,
        json: { agent: users[agent]?.login },
      });
    expect((await give("stranger")).body).to.include({ status: 403, code: 6 });
    expect((await give("colleague")).status).to.equal(200);
  });

  it("returns a single ticket without the agent's link", async () => {
    const { body } = await api.call(`GET /tickets/${tickets["strangers"]}`, { as: fixture.admin });
    expect(body).not.to.have.property("sso_url");
    expect(body.agent_url).to.equal(`${testBaseUrl}/agent`);
  });

  it("rejects an id that is not a number, and answers 404 to one that is too large", async () => {
    const { status, body } = await api.call("GET /tickets/abc", { as: fixture.admin });
    expect([status, body.code]).to.deep.equal([400, 10]);
    const huge = await api.call("GET /tickets/99999999999999999999", { as: fixture.admin });
    expect(huge.status).to.equal(404);
  });
});
