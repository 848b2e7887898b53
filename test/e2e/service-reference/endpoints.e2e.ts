/** The chapter "Endpoints": the accepted and rejected input of each operation. */
import { expect } from "chai";
import {
  aPhone,
  aPicture,
  consent,
  createTicket,
  eventsOf,
  isoBefore,
  openLink,
  queryOf,
  refusalBy,
  succeed,
  upload,
  whoIs,
} from "./calls.ts";
import { useService } from "./service.ts";
import { aTimestamp, aUuid, expectWhole } from "./shapes.ts";
import { conferenceTests } from "./endpoints/conferences.ts";
import { familyOperations } from "./endpoints/operations.ts";
import { ticketCreationTests } from "./endpoints/tickets.ts";

describe("the reference: endpoints", () => {
  const service = useService();

  ticketCreationTests(service);
  conferenceTests(service);

  const refusalOf = async (operation: string) => refusalBy(service.admin, operation);

  it("P-09: lists every ticket that matches, newest first by default", async () => {
    const reference = `P-09 ${Date.now()}`;
    const ids: number[] = [];
    for (const _ of Array.from({ length: 12 })) {
      ids.push((await createTicket(service, { reference })).id);
    }
    const list = async (more: Record<string, string> = {}) => {
      const query = queryOf({ reference, ...more });
      const { total, data } = await succeed(service.admin, `GET /api/tickets?${query}`);
      return { total, ids: data.map(({ id }: { id: number }) => id) };
    };
    const newest = ids.toReversed();
    expect(await list()).to.deep.equal({ total: 12, ids: newest });
    const sorted = { orderby: "date", order: "desc" };
    expect(await list({ ...sorted, limit: "5" })).to.deep.equal({
      total: 12,
      ids: newest.slice(0, 5),
    });
    expect(await list({ orderby: "id", order: "asc", limit: "2", offset: "3" })).to.deep.equal({
      total: 12,
      ids: ids.slice(3, 5),
    });
    expect((await list({ state: "invited" })).total).to.equal(0);
    expect((await list({ agent: service.agent.login, state: "new" })).total).to.equal(12);
    expect((await list({ until: "2020-01-01T00:00:00Z" })).total).to.equal(0);
    expect((await list({ since: isoBefore(600_000) })).total).to.equal(12);
    const badOrder = await refusalOf("GET /api/tickets?orderby=colour");
    expect(badOrder).to.deep.equal([400, 10, "Parameter orderby"]);
  });

  it("P-10: lists the media of a ticket, of one's own enterprise only", async () => {
    const { enterpriseId } = await whoIs(service.admin);
    const { id } = await createTicket(service);
    const picture = await upload(service.agent, "/api/medias", aPicture(), { ticketId: id });
    const path = (enterprise: unknown, ticket: unknown): string =>
      `GET /api/enterprises/${String(enterprise)}/tickets/${String(ticket)}/medias`;
    const { medias } = await succeed(service.admin, path(enterpriseId, id));
    expect(medias.map((media: { id: number }) => media.id)).to.deep.equal([picture.id]);
    const errors = await succeed(service.admin, `${path(enterpriseId, id)}?status=error`);
    expect(errors.count).to.equal(0);
    expect((await refusalOf(path("x", id)))[0]).to.equal(400);
    expect((await refusalOf(path(enterpriseId, "x")))[0]).to.equal(400);
    expect((await refusalOf(path(enterpriseId + 1000, id)))[0]).to.equal(404);
  });

  it("P-11: gives the statistics of the days, in JSON or CSV", async () => {
    const { enterpriseId } = await whoIs(service.admin);
    const path = `GET /api/enterprises/${String(enterpriseId)}/tickets-stats`;
    const { id } = await createTicket(service);
    const day = (ago: number): string => isoBefore(ago * 86_400_000).slice(0, 10);
    const idsOf = async (query: string): Promise<number[]> =>
      (await succeed(service.admin, `${path}?${query}`)).map(({ ID }: { ID: number }) => ID);
    expect(await idsOf(`format=JSON&since=${day(1)}&until=${day(-1)}`)).to.include(id);
    expect(await idsOf(`since=${day(9)}&until=${day(8)}`)).to.deep.equal([]);
    const csv = await service.admin.call(`${path}?format=csv`);
    expect(csv.text.startsWith("\uFEFFID;Ref;")).to.equal(true);
    for (const [query, field] of [
      ["format=XML", "format"],
      ["since=yesterday", "since"],
      [`since=${day(1)}&until=${day(2)}`, "until"],
      ["since=2026-01-01&until=2026-12-31", "until"],
    ] as const) {
      const [status, code, details] = await refusalOf(`${path}?${query}`);
      expect([status, code, details], query).to.deep.equal([400, 10, `Parameter ${field}`]);
    }
  });

  it("P-21: lists the events of a ticket, oldest first, and filters them", async () => {
    const ticket = await createTicket(service, { invite: "1" });
    await consent(await openLink(service, ticket));
    const path = `GET /api/v3/tickets/${ticket.id}/events`;
    const answer = await service.admin.call(path);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get("x-total-count")).to.equal("4");
    const all = await eventsOf(service, ticket.id);
    expect(answer.body).to.deep.equal(all);
    const common = { conversationId: all[0].conversationId, ticketId: ticket.id };
    expectWhole(all.at(-1), {
      id: all.at(-1).id,
      eventType: "consent.accepted",
      eventCode: 20,
      ...common,
      created: aTimestamp,
      source: "guest",
    });
    const codes = async (query: string): Promise<number[]> =>
      (await succeed(service.admin, `${path}?${query}`)).map(
        (event: { eventCode: number }) => event.eventCode,
      );
    expect(await codes("order=desc")).to.deep.equal([20, 10, 3, 1]);
    expect(await codes("eventType=ticket.new,consent.accepted")).to.deep.equal([1, 20]);
    expect(await codes("source=guest")).to.deep.equal([20]);
    expect(await codes("limit=2&offset=1")).to.deep.equal([3, 10]);
    expect(await codes(queryOf({ since: isoBefore(-60_000) }))).to.deep.equal([]);
    expect(await codes(queryOf({ until: isoBefore(60_000) }))).to.deep.equal([]);
    expect((await refusalOf(`${path}?eventType=nothing`)).slice(0, 2)).to.deep.equal([400, 10]);
  });

  it("P-22: describes every operation of the nine families", async () => {
    const { body } = await service.call("GET /api/openapi.json");
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/gu, "{}")}`,
      ),
    );
    expect(described).to.include.members([...familyOperations]);
    const { status } = await service.admin.call("POST /api/createUser", { json: {} });
    expect(status).to.equal(400);
  });

  it("P-22: answers on every path of the nine families", async () => {
    const { enterpriseId, userId } = await whoIs(service.admin);
    const { id } = await createTicket(service);
    const { data } = await succeed(service.admin, `GET /api/conversations?ticketId=${id}`);
    expectWhole(data[0], {
      id: data[0].id,
      uid: aUuid,
      name: data[0].name,
      created: aTimestamp,
      ticketId: id,
      conferenceId: null,
      isOngoing: false,
      finishedAt: null,
    });
    const services = await succeed(service.admin, "GET /api/service");
    const enterprise = `/api/enterprises/${enterpriseId}`;
    for (const path of [
      "/api/users",
      `/api/users/${userId}`,
      "/api/enterprises",
      enterprise,
      `${enterprise}/users`,
      `${enterprise}/services`,
      `${enterprise}/user-groups`,
      `${enterprise}/statistics`,
      `${enterprise}/quota`,
      `${enterprise}/domains`,
      `${enterprise}/audit`,
      `/api/service/${services.data[0].id}`,
      `/api/service/${services.data[0].id}/templates`,
      `/api/service/${services.data[0].id}/survey`,
      `/api/service/${services.data[0].id}/buttons`,
      `/api/tickets/${id}`,
      `/api/tickets/${id}/sessions`,
      "/api/conferences",
      "/api/hl7/messages",
      "/api/sessions",
      `/api/conversations/${data[0].uid}`,
      `/api/conversations/${data[0].id}/messages`,
      "/api/sms",
      "/api/emails",
      "/api/medias",
    ]) {
      expect((await service.admin.call(`GET ${path}`)).status, path).to.equal(200);
    }
    const sms = await service.admin.call("POST /api/sms", { json: { to: aPhone, text: "Hi" } });
    expect([sms.status, sms.body.status]).to.deep.equal([201, "queued"]);
    const hl7 = await service.admin.call("POST /api/hl7", {
      raw: `MSH|^~\\&|EHR|HOSP|SL|SL|20261121100000||ADT^A01|${Date.now()}|P|2.5\r`,
      headers: { "content-type": "application/hl7-v2" },
    });
    expect(hl7.status).to.equal(200);
    expect(hl7.text).to.match(/\rMSA\|AR\|/u);
  });
});
