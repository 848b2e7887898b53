import { expect } from "chai";
import { aTenant, aWholeTicket, type Tenant, type Member } from "../support/tenant.ts";
import { useWholeApi } from "../support/whole-api.ts";

describe("the colleagues of a ticket's agent", () => {
  const api = useWholeApi();
  let tenant: Tenant;
  before("make an enterprise", async () => {
    tenant = await aTenant(api.db);
  });

  const aTicketOf = async ({ id: agentId }: Pick<Member, "id">): Promise<number> =>
    (await aWholeTicket(api.db, tenant, { agentId, state: "opened" })).id;

  const transfer = (ticketId: number, { token }: Member, agent: string) =>
    api.call(`PUT /api/tickets/${ticketId}/agent`, { token, json: { agent } });

  it("are shown with name and login only, by the directory of the caller", async () => {
    const { agent, manager } = tenant.members;
    const namesFor = async (member: Member): Promise<number[]> => {
      const ticketId = await aTicketOf(agent);
      const { status, body, text } = await api.call(`GET /api/tickets/${ticketId}/colleagues`, {
        token: member.token,
      });
      expect(status, text).to.equal(200);
      const data = body.data as { id: number }[];
      data.forEach((one) => expect(one).to.have.all.keys("id", "login", "name", "may_take"));
      return data.map(({ id }) => id);
    };
    const ofAgent = await namesFor(agent);
    expect(ofAgent).to.include.members([tenant.colleague.id, tenant.members.admin.id]);
    expect(ofAgent, "of another group").to.not.include(tenant.stranger.id);
    expect(ofAgent, "the ticket's own agent").to.not.include(agent.id);
    expect(await namesFor(manager)).to.include(tenant.stranger.id);
  });

  it("get an agent's own ticket, if they are in the agent's directory", async () => {
    const { agent } = tenant.members;
    const own = await aTicketOf(agent);
    const refused = await transfer(own, agent, tenant.stranger.login);
    expect(refused.status).to.equal(403);
    const done = await transfer(own, agent, tenant.colleague.login);
    expect(done.status, done.text).to.equal(200);
    expect(done.body.agent).to.equal(tenant.colleague.login);
    const back = await transfer(own, agent, agent.login);
    expect(back.status, "it is not theirs any more").to.equal(403);
  });
});
