/** The chapter "Limits". */
import { expect } from "chai";
import { aPhone, aUser, createConference, createTicket, queryOf, succeed } from "./calls.ts";
import { useService } from "./service.ts";
import { aServiceKey, aText, expectWhole } from "./shapes.ts";

describe("the reference: limits", () => {
  const service = useService();

  it("M-01: the ticket events allow a number of calls a minute, and say how many are left", async () => {
    const { id } = await createTicket(service);
    const user = await aUser(service, { role: "admin" });
    const paths = [`/api/v3/tickets/${id}/events`, `/api/tickets/${id}/event`];
    const read = async (call: number) => user.call(`GET ${paths[call % 2] ?? ""}`);
    const first = await read(0);
    const number = (name: string, { headers } = first): number => Number(headers.get(name));
    const limit = number("x-ratelimit-limit");
    expect(limit).to.equal(60);
    expect(number("x-ratelimit-remaining")).to.equal(limit - 1);
    expect(number("x-ratelimit-reset")).to.be.within(1, 60);
    for (let call = 1; call < limit; call += 1) {
      expect((await read(call)).status).to.equal(200);
    }
    const refused = await read(limit);
    expect([refused.status, refused.body.code]).to.deep.equal([429, 12]);
    expect(refused.body.error).to.be.a("string");
    expect(number("retry-after", refused)).to.be.within(1, 60);
    expect(number("x-ratelimit-remaining", refused)).to.equal(0);
    expect((await user.call(`GET /api/tickets/${id}`)).status).to.equal(200);
    expect((await service.admin.call(`GET ${paths[0] ?? ""}`)).status).to.equal(200);
  });

  it("M-03: a service key has 32 letters and digits, and no other one is taken", async () => {
    const { data } = await succeed(service.admin, "GET /api/services");
    for (const { service_key } of data) {
      expectWhole(service_key, aServiceKey);
    }
    for (const service_key of ["short", "x".repeat(33), "!".repeat(32)]) {
      const query = queryOf({ agent: service.agent.login, phone: aPhone, service_key });
      const { status, body } = await service.admin.call(`POST /api/tickets?${query}`);
      expect([status, body.code, body.details]).to.deep.equal([400, 10, "Parameter service_key"]);
    }
  });

  it("M-05: every list supports limit and offset, has a maximum, and returns its paging", async () => {
    const { id } = await createTicket(service);
    const conference = await createConference(service);
    const most: Readonly<Record<string, number>> = {
      "/api/tickets": 1000,
      "/api/session": 1000,
      [`/api/v3/tickets/${id}/events`]: 1000,
      [`/api/tickets/${id}/medias`]: 100,
      "/api/conferences": 100,
      [`/api/conferences/${conference.id}/media`]: 100,
      "/api/medias": 100,
      "/api/users": 100,
      "/api/sms": 100,
      "/api/emails": 100,
      "/api/conversations": 100,
    };
    for (const [path, limit] of Object.entries(most)) {
      const statusOf = async (query: string) =>
        (await service.admin.call(`GET ${path}?${query}`)).status;
      expect(await statusOf(`limit=${limit}&offset=0`), path).to.equal(200);
      for (const query of [`limit=${limit + 1}`, "limit=0", "limit=x", "offset=-1"]) {
        expect(await statusOf(query), `${path}?${query}`).to.equal(400);
      }
    }
  });

  it("M-05: a page has the headers X-Total-Count and Link, and 10 entries by default", async () => {
    const name = `Page ${Date.now()}`;
    const ids: number[] = [];
    for (const _ of Array.from({ length: 11 })) {
      ids.push((await createConference(service, { name })).id);
    }
    const page = async (more: Record<string, string>) =>
      service.agent.call(`GET /api/conferences?${queryOf({ search: name, ...more })}`);
    const first = await page({});
    expect([first.body.total, first.body.data.length]).to.deep.equal([11, 10]);
    const second = await page({ limit: "4", offset: "4" });
    expect(second.headers.get("x-total-count")).to.equal("11");
    expectWhole(second.body.data[0].id, ids.toReversed()[4]);
    expect(
      second.headers
        .get("link")
        ?.match(/rel="\w+"/gu)
        ?.toSorted(),
    ).to.deep.equal(['rel="first"', 'rel="last"', 'rel="next"', 'rel="prev"']);
    const next = /<([^>]+)>; rel="next"/u.exec(second.headers.get("link") ?? "")?.[1] ?? "";
    const third = await succeed(service.agent, `GET ${next}`);
    expect(third.data.map((one: { id: number }) => one.id)).to.deep.equal(
      ids.toReversed().slice(8),
    );
    expectWhole(third.data[0].name, aText);
  });
});
