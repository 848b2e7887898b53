import { expect } from "chai";
import { roles, type Reach, type Role } from "../../src/contracts/permissions.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import {
  aTenant,
  aTenantTicket,
  aTenantWebhook,
  sharedReference,
  type Tenant,
  type Member,
  type WebhookMade,
} from "../support/tenant.ts";
import { useWholeApi, type ApiAnswer } from "../support/whole-api.ts";
import { classified, reachOf, type Classified } from "./routes.ts";

const width: Record<Reach, number> = { own: 1, group: 2, all: 3 };

/** Tickets of one tenant, by the smallest reach with which an agent of the group finds them. */
type Tickets = Record<Reach, number[]>;

function mayRead(role: Role): Reach | undefined {
  return reachOf(classified["GET /tickets"] as Classified, role);
}

describe("lists", () => {
  const api = useWholeApi();
  let own: Tenant;
  let foreign: Tenant;
  let tickets: Tickets;
  let webhooks: WebhookMade[];

  const fill = async (tenant: Tenant): Promise<Tickets> => {
    const { db } = api;
    const { members, colleague, stranger, north, south } = tenant;
    const make = (agentId: number | null, groupId: number | null = null) =>
      aTenantTicket(db, tenant, { agentId, groupId });
    await aTenantTicket(db, tenant, { agentId: members.agent.id, isDeleted: true });
    return {
      own: [await make(members.agent.id), await make(members.agent.id, south)],
      group: [
        await make(colleague.id),
        await make(null, north),
        await make(stranger.id, north),
        await make(members.manager.id),
        await make(null),
      ],
      all: [
        await make(stranger.id),
        await make(members.admin.id),
        await make(members.superadmin.id),
      ],
    };
  };

  before("fill two enterprises", async () => {
    own = await aTenant(api.db);
    foreign = await aTenant(api.db);
    tickets = await fill(own);
    await fill(foreign);
    webhooks = [await aTenantWebhook(api.db, own), await aTenantWebhook(api.db, own)];
    await aTenantWebhook(api.db, foreign);
  });

  const within = (role: Role, more: Tickets = tickets): number[] => {
    const reach = mayRead(role) ?? "own";
    return (["own", "group", "all"] as const)
      .filter((needed) => width[needed] <= width[reach])
      .flatMap((needed) => more[needed])
      .toSorted((a, b) => a - b);
  };

  const get = async (member: Member, path: string): Promise<ApiAnswer> => {
    const answer = await api.call(`GET /api${path}`, { token: member.token });
    expect(answer.status, `${path} as ${member.role}: ${answer.text}`).to.equal(200);
    expect(answer.text, `${path} as ${member.role} tells of another enterprise`).to.not.contain(
      foreign.mark,
    );
    return answer;
  };

  const idsOf = ({ body }: ApiAnswer): number[] =>
    (body.data as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);

  const expectNothing = (answer: ApiAnswer, what: string): void => {
    expect(answer.body, what).to.deep.equal({ total: 0, data: [] });
    expect(answer.headers.get("x-total-count"), what).to.equal("0");
  };

  for (const role of roles) {
    it(`show and count the tickets that a ${role} reaches, and no other`, async () => {
      const member = own.members[role];
      const expected = within(role);
      expect(expected).to.not.deep.equal([]);
      for (const query of [
        "",
        `?reference=${sharedReference}`,
        `?agent=&limit=1000`,
        "?state=new",
      ]) {
        const answer = await get(member, `/tickets${query}`);
        expect(idsOf(answer), query).to.deep.equal(expected);
        expect(answer.body.total, query).to.equal(expected.length);
        expect(answer.headers.get("x-total-count"), query).to.equal(String(expected.length));
      }
      const page = await get(member, "/tickets?limit=1&offset=1");
      expect(page.body.data).to.have.length(1);
      expect(page.body.total).to.equal(expected.length);
      expect(page.headers.get("link")).to.contain(`offset=${expected.length - 1}>; rel="last"`);
      const beyond = await get(member, "/tickets?limit=5&offset=500");
      expect(beyond.body).to.deep.equal({ total: expected.length, data: [] });
    });

    it(`find nothing of another enterprise for a ${role}, for any search`, async () => {
      const member = own.members[role];
      for (const query of [
        `agent=${foreign.members.agent.login}`,
        `agent=${foreign.colleague.login.toUpperCase()}`,
        `service_key=${foreign.serviceKey}`,
      ]) {
        expectNothing(await get(member, `/tickets?${query}`), query);
      }
    });

    it(`find an agent's tickets for a ${role} only within their reach`, async () => {
      const answer = await get(own.members[role], `/tickets?agent=${own.stranger.login}`);
      const outside =
        mayRead(role) === "all" ? [tickets.group[2], tickets.all[0]] : [tickets.group[2]];
      expect(idsOf(answer)).to.deep.equal(outside);
      expect(answer.body.total).to.equal(outside.length);
    });
  }

  it("show a member of two groups the tickets of both, once", async () => {
    const { viewer } = own.members;
    const { id: enterprise_id, south: group_id } = own;
    await api.db("group_members").insert({ enterprise_id, group_id, user_id: viewer.id });
    api.identitiesChanged(enterprise_id);
    const [both, stranger] = [tickets.own[1], tickets.all[0]];
    const ids = idsOf(await get(viewer, "/tickets"));
    await api.db("group_members").where({ group_id, user_id: viewer.id }).delete();
    api.identitiesChanged(enterprise_id);
    expect(ids).to.include.members([both, stranger]);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.not.include(tickets.all[1]);
  });

  it("show the timeline of the requested ticket only", async () => {
    const [ticketId] = tickets.own;
    const [entry] = await rowsOf<{ id: number }>(
      api.db,
      "SELECT id FROM session_events WHERE ticket_id = ?",
      [ticketId],
    );
    const answer = await get(own.members.agent, `/tickets/${ticketId}/events`);
    expect(answer.body.map(({ id }: { id: number }) => id)).to.deep.equal([entry?.id]);
    expect(answer.headers.get("x-total-count")).to.equal("1");
    expect(answer.text).to.contain(own.mark);
  });

  it("show the enterprise's webhooks with their deliveries, and no other's", async () => {
    const { admin } = own.members;
    const answer = await get(admin, "/webhooks");
    expect(idsOf(answer)).to.deep.equal(webhooks.map(({ id }) => id));
    expect(answer.body.total).to.equal(2);
    for (const { id, deliveryId } of webhooks) {
      const listed = await get(admin, `/webhooks/${id}/deliveries`);
      expect(idsOf(listed)).to.deep.equal([deliveryId]);
      expect(listed.body.total).to.equal(1);
      expect(listed.headers.get("x-total-count")).to.equal("1");
      const full = await get(admin, `/webhooks/${id}/deliveries/${deliveryId}`);
      expect(full.body.attempts).to.have.length(1);
      expect(full.text).to.contain(`answer ${own.mark}`);
      for (const hidden of own.hidden) {
        expect(full.text + listed.text + answer.text).to.not.contain(hidden);
      }
    }
  });

  it("count another enterprise's webhooks in its own quota only", async () => {
    const tenant = await aTenant(api.db);
    const { token } = tenant.members.admin;
    for (let i = 0; i < 20; i += 1) {
      const { status } = await api.call("POST /api/webhooks", { token, json: {} });
      expect(status).to.equal(201);
    }
    const full = await api.call("POST /api/webhooks", { token, json: {} });
    expect(full.body).to.include({ status: 403, code: 16 });
    const { admin } = own.members;
    const other = await api.call("POST /api/webhooks", { token: admin.token, json: {} });
    expect(other.status).to.equal(201);
    await api.call(`DELETE /api/webhooks/${other.body.id}`, { token: admin.token });
  });
});
