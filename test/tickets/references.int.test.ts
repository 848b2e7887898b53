import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { aService, aUser } from "../support/factories.ts";
import {
  aGroup,
  aTestUser,
  aTicketFixture,
  useTicketApi,
  type TicketFixture,
} from "../support/tickets.ts";

describe("references of a new ticket", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  let fixture: TicketFixture;
  before(async () => {
    fixture = await aTicketFixture(database.db);
  });

  const post = (json: Record<string, unknown>, as = fixture.admin) =>
    api.call("POST /tickets", { as, json: { agent: fixture.agent.login, ...json } });

  it("rejects an agent who is missing, inactive, not an agent, or of another enterprise", async () => {
    const missing = await api.call("POST /tickets", {
      as: fixture.admin,
      json: { email: "a@b.com" },
    });
    expect(missing.body).to.include({ status: 400, code: 9, details: "Parameter agent" });
    const other = await aTicketFixture(database.db);
    const { enterpriseId } = fixture;
    const inactive = await aUser(database.db, { enterprise_id: enterpriseId, is_active: false });
    for (const { login } of [inactive, fixture.admin, other.agent]) {
      const { body } = await post({ email: "a@example.com", agent: login });
      expect(body, login).to.include({ status: 400, code: 10, details: "Parameter agent" });
    }
  });

  it("accepts only the types of the service, if it has any", async () => {
    const { id, service_key: key } = await aService(database.db, {
      enterprise_id: fixture.enterpriseId,
      ticket_types: ["repair"],
    });
    await database.db("buttons").insert({ enterprise_id: fixture.enterpriseId, service_id: id });
    const contact = { email: "a@example.com", service_key: key };
    expect((await post({ ...contact, type: "repair" })).status).to.equal(201);
    expect((await post(contact)).body.type).to.equal("");
    expect((await post({ ...contact, type: "x" })).body.details).to.equal("Parameter type");
  });

  it("ignores services that are off or for meetings", async () => {
    for (const columns of [{ is_active: false }, { kind: "conference" }]) {
      const { service_key: key } = await aService(database.db, {
        enterprise_id: fixture.enterpriseId,
        ...columns,
      });
      const { body } = await post({ email: "a@example.com", service_key: key });
      expect(body.details).to.equal("Parameter service_key");
    }
  });

  it("allows agents to create for themselves only, managers for agents of their groups", async () => {
    const { db } = database;
    const { enterpriseId } = fixture;
    const [north, south] = [
      await aGroup(db, enterpriseId, "N"),
      await aGroup(db, enterpriseId, "S"),
    ];
    const agent = await aTestUser(db, enterpriseId, "agent", { groupIds: [north] });
    const manager = await aTestUser(db, enterpriseId, "manager", { groupIds: [north] });
    const stranger = await aTestUser(db, enterpriseId, "agent", { groupIds: [south] });
    const integration = await aTestUser(db, enterpriseId, "integration");
    const viewer = await aTestUser(db, enterpriseId, "viewer", { groupIds: [north] });
    const attempts = [
      [agent, agent, 201],
      [agent, stranger, 403],
      [manager, agent, 201],
      [manager, stranger, 403],
      [integration, stranger, 201],
      [viewer, agent, 403],
    ] as const;
    for (const [as, { login }, status] of attempts) {
      const answer = await post({ email: "a@example.com", agent: login }, as);
      expect(answer.status, `${as.role} for ${login}`).to.equal(status);
      expect(answer.body.code).to.equal(status === 403 ? 6 : undefined);
    }
    const inOwn = await post({ email: "a@example.com", agent: agent.login, group: north }, manager);
    const inOther = await post({ email: "a@example.com", agent: agent.login, group: "S" }, manager);
    expect([inOwn.status, inOther.status]).to.deep.equal([201, 403]);
  });
});
