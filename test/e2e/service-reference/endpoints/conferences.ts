/** Accepted and rejected input of the operations on conferences. */
import { expect } from "chai";
import {
  aPhone,
  aPicture,
  createConference,
  isoBefore,
  queryOf,
  refusalBy,
  succeed,
  upload,
  whoIs,
} from "../calls.ts";
import type { Service } from "../service.ts";

export function conferenceTests(service: Service): void {
  const refusalOf = async (operation: string) => refusalBy(service.admin, operation);

  describe("create a conference", () => {
    it("P-12, P-15: by query parameters and an empty body, answering 201", async () => {
      const query = queryOf({
        participants: "ann@guests.example",
        moderation: "true",
        moderator: service.admin.login,
        name: "Site visit",
      });
      const answer = await service.agent.call(`POST /api/conferences?${query}`);
      expect(answer.status).to.equal(201);
      expect(answer.headers.get("location")).to.equal(`/api/conferences/${answer.body.id}`);
      expect(answer.body.name).to.equal("Site visit");
      expect(answer.body.moderator.id).to.equal((await whoIs(service.admin)).userId);
      const refusal = async (more: string) =>
        refusalOf(`POST /api/conferences?participants=ann@guests.example&${more}`);
      expect(await refusal("moderation=maybe")).to.deep.equal([400, 10, "Parameter moderation"]);
      expect(await refusal("moderator=nobody")).to.deep.equal([400, 10, "Parameter moderator"]);
      expect(await refusal("name=x")).to.deep.equal([400, 10, "Parameter name"]);
    });

    it("P-13: accepts 1 to 50 email addresses and phone numbers, each once", async () => {
      const participants = `ann@guests.example, ${aPhone},ann@guests.example`;
      const { id } = await createConference(service, { participants });
      const { total, data } = await succeed(
        service.agent,
        `GET /api/conferences/${id}/participants`,
      );
      const contacts = data.map((one: { email: string; phone: string }) => one.email ?? one.phone);
      expect([total, contacts]).to.deep.equal([2, ["ann@guests.example", aPhone]]);
      const refusal = async (list: string) => {
        const query = queryOf({ participants: list });
        const { status, body } = await service.agent.call(`POST /api/conferences?${query}`);
        return [status, body.code, body.details, body.detail];
      };
      const [status, code, details, detail] = await refusal("ann@guests.example,zzz");
      expect([status, code, details]).to.deep.equal([400, 10, "Parameter participants"]);
      expect(detail).to.include("zzz");
      const many = Array.from({ length: 51 }, (_, at) => `g${at}@guests.example`).join(",");
      expect((await refusal(many)).slice(0, 2)).to.deep.equal([400, 10]);
      const none = await service.agent.call("POST /api/conferences");
      expect([none.status, none.body.code]).to.deep.equal([400, 9]);
    });

    it("P-16: accepts the other fields of a conference", async () => {
      const values = { startTime: "2030-01-01T08:00:00Z", duration: "90", password: "1234#" };
      const more = { language: "fr", message: "See you", scope: "sso", open: "true" };
      const conference = await createConference(service, { ...values, ...more });
      expect(conference.start_time).to.equal("2030-01-01T08:00:00+00:00");
      expect(conference.end_time).to.equal("2030-01-01T09:30:00+00:00");
      expect(conference.sso_url).to.include("access_token=");
      const { service_key, room_name } = conference;
      const enter = async (password?: string) =>
        service.call("POST /api/guest/conferences/token", {
          json: { service_key, room_name, ...(password === undefined ? {} : { password }) },
        });
      expect((await enter()).status).to.equal(403);
      expect((await enter("1234#")).status).to.equal(200);
      const query = queryOf({ participants: "a@guests.example", password: "12" });
      const refused = await refusalOf(`POST /api/conferences?${query}`);
      expect(refused).to.deep.equal([400, 10, "Parameter password"]);
    });
  });

  it("P-19: finds conferences by since and search, sorted and paged", async () => {
    const mark = `P19${Date.now()}`;
    const made = [];
    for (const name of ["b", "a", "c"]) {
      made.push(await createConference(service, { name: `Visit ${mark} ${name}` }));
    }
    const list = async (values: Record<string, string>) => {
      const { total, data } = await succeed(
        service.agent,
        `GET /api/conferences?${queryOf(values)}`,
      );
      return { total, ids: data.map(({ id }: { id: number }) => id) };
    };
    const ids = made.map(({ id }) => Number(id));
    const search = mark.toLowerCase();
    expect(await list({ search })).to.deep.equal({ total: 3, ids: ids.toReversed() });
    const sorted = { search, orderby: "date", order: "asc", limit: "2", offset: "1" };
    expect(await list(sorted)).to.deep.equal({ total: 3, ids: ids.slice(1) });
    expect((await list({ search, since: isoBefore(-60_000) })).total).to.equal(0);
    expect((await list({ search, since: isoBefore(60_000) })).total).to.equal(3);
    expect((await list({ search: String(ids[1]) })).ids).to.include(ids[1]);
    expect((await list({ search: made[2].room_name })).ids).to.deep.equal([ids[2]]);
  });

  it("P-20: lists the media of a conference, sorted and paged", async () => {
    const { id } = await createConference(service);
    const ids: number[] = [];
    for (const name of ["1.png", "2.png"]) {
      const fields = { conferenceId: id };
      ids.push((await upload(service.agent, "/api/medias", aPicture(name), fields)).id);
    }
    const list = async (query: string) =>
      (await succeed(service.agent, `GET /api/conferences/${id}/media?${query}`)).data.map(
        (media: { id: number }) => media.id,
      );
    expect(await list("orderby=date&order=asc")).to.deep.equal(ids);
    expect(await list("limit=1")).to.deep.equal([ids[1]]);
    expect(await list("limit=1&offset=1")).to.deep.equal([ids[0]]);
    expect(await list("status=error")).to.deep.equal([]);
  });
}
