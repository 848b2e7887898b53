import { expect } from "chai";
import { testBaseUrl } from "../support/api.ts";
import {
  aConferenceFixture,
  forceStatus,
  messagesAbout,
  useConferenceApi,
} from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

const enc = encodeURIComponent;

describe("conferences over HTTP", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);
  const as = (who: "organizer" | "moderator" | "stranger" | "admin" | "api") => ({
    as: api.fixture[who],
  });
  const create = async (query: string, who: "organizer" | "api" = "organizer") => {
    const answer = await api.call(`POST /conferences?${query}`, as(who));
    expect(answer.status, answer.text).to.equal(201);
    return answer;
  };

  describe("POST /conferences", () => {
    it("accepts query parameters with an empty body, and returns the whole object", async () => {
      const { fixture } = api;
      const query = "participants=anna@guests.test,%2B33612345678&invite=1&moderation=true";
      const { body, headers } = await create(`${query}&name=Weekly`);
      expect(headers.get("location")).to.equal(`/api/conferences/${body.id}`);
      expect(body.room_name).to.match(/^[0-9a-f]{32}:[0-9a-f]{32}$/u);
      expect(body.sip_dtmf_code).to.match(/^[0-9]{9}$/u);
      expect(body.short_url).to.match(/^https:\/\/sightline\.example\/s\/[0-9A-Za-z]{12}$/u);
      const key = fixture.service.service_key;
      const organizer = { id: fixture.organizer.id, name: "Ada Organizer" };
      expect(body).to.deep.equal({
        id: body.id,
        name: "Weekly",
        created: "2026-11-20T10:00:00+00:00",
        modified: "2026-11-20T10:00:00+00:00",
        start_time: "2026-11-20T10:00:00+00:00",
        end_time: "2026-11-20T11:00:00+00:00",
        status: "scheduled",
        room_name: body.room_name,
        url: `${testBaseUrl}/m/${key}/${body.room_name}`,
        short_url: body.short_url,
        sip_phone_number: "+33155000000",
        sip_dtmf_code: body.sip_dtmf_code,
        organizer,
        created_by: organizer,
        service_key: key,
        moderator: organizer,
      });
      expect(await messagesAbout(database.db, body.id)).to.deep.equal([
        "anna@guests.test",
        "+33612345678",
      ]);
      const [conversation] = await database
        .db("conferences as c")
        .join("conversations as v", "v.id", "c.conversation_id")
        .where("c.id", body.id)
        .select("v.room_name");
      expect(conversation.room_name).to.equal(body.room_name);
    });

    it("derives the name from the start in the enterprise's time zone, and sends nothing by default", async () => {
      const { body } = await create("participants=a@b.test&startTime=2027-07-01T08:00:00Z");
      expect(body.name).to.equal("Conference-2027-07-01 10:00:00 (GMT +02:00)");
      expect(await messagesAbout(database.db, body.id)).to.deep.equal([]);
    });

    it("accepts a form and JSON, and stores creator and organizer", async () => {
      const { fixture } = api;
      const form = {
        participants: "a@b.test",
        organizer: fixture.organizer.login,
        invite: "false",
      };
      const made = await api.call("POST /conferences", { ...as("api"), form });
      expect(made.body.organizer).to.deep.equal({
        id: fixture.organizer.id,
        name: "Ada Organizer",
      });
      expect(made.body.created_by).to.deep.equal({ id: fixture.api.id, name: fixture.api.login });
      const json = { participants: "a@b.test", moderator: fixture.moderator.login, duration: 90 };
      const other = await api.call("POST /conferences", { ...as("organizer"), json });
      expect(other.body.moderator).to.deep.equal({
        id: fixture.moderator.id,
        name: "Max Moderator",
      });
      expect(other.body.end_time).to.equal("2026-11-20T11:30:00+00:00");
    });

    it("removes duplicates, and accepts a phone number whose plus was not encoded", async () => {
      const list = "Anna@guests.test,anna@guests.test,+33612345678,0033612345678";
      const { body } = await create(`participants=${list}`);
      const { body: page } = await api.call(
        `GET /conferences/${body.id}/participants`,
        as("organizer"),
      );
      const guest = { kind: "invited", name: null, role: null, user_id: null, invited: null };
      const absent = { joined: null, left: null, is_present: false };
      expect(page).to.deep.equal({
        total: 2,
        data: [
          { ...guest, email: "Anna@guests.test", phone: null, ...absent },
          { ...guest, email: null, phone: "+33612345678", ...absent },
        ],
      });
    });

    const refused: readonly (readonly [string, string, number, string])[] = [
      ["an invalid participant", "participants=a@b.test,nobody", 10, "participants"],
      ["no participants", "name=Weekly", 9, "participants"],
      ["an empty list", "participants=,", 9, "participants"],
      [
        "51 participants",
        `participants=${Array.from({ length: 51 }, (_, i) => `p${i}@b.test`).join(",")}`,
        10,
        "participants",
      ],
      ["an unknown moderator", "participants=a@b.test&moderator=nobody", 10, "moderator"],
      [
        "an unknown service",
        `participants=a@b.test&service_key=${"x".repeat(32)}`,
        10,
        "service_key",
      ],
      ["a name that is too short", "participants=a@b.test&name=x", 10, "name"],
      ["a password with letters", "participants=a@b.test&password=12ab", 10, "password"],
      ["an unknown scope", "participants=a@b.test&scope=all", 10, "scope"],
      ["an invalid start", "participants=a@b.test&startTime=soon", 10, "startTime"],
      ["a duration over a day", "participants=a@b.test&duration=1441", 10, "duration"],
    ];
    for (const [what, query, code, field] of refused) {
      it(`rejects ${what} and names the field`, async () => {
        const { status, body } = await api.call(`POST /conferences?${query}`, as("organizer"));
        expect([status, body.code, body.details]).to.deep.equal([400, code, `Parameter ${field}`]);
      });
    }

    it("names the invalid item", async () => {
      const { body } = await api.call("POST /conferences?participants=a@b.test,nobody", as("api"));
      expect(body.detail).to.contain("nobody");
    });

    it("executes a request with the same idempotency key once", async () => {
      const call = () =>
        api.call("POST /conferences?participants=a@b.test&invite=1", {
          ...as("organizer"),
          headers: { "idempotency-key": "one" },
        });
      const [first, second] = [await call(), await call()];
      expect(second.body).to.deep.equal(first.body);
      expect(await messagesAbout(database.db, first.body.id)).to.have.length(1);
    });

    it("returns a link that admits the moderator as long as they are the moderator", async () => {
      const { fixture } = api;
      const moderator = enc(fixture.moderator.login);
      const { body } = await create(`participants=a@b.test&scope=sso&moderator=${moderator}`);
      const url = new URL(body.sso_url);
      expect(`${url.origin}${url.pathname}`).to.equal(body.url);
      const json = {
        service_key: body.service_key,
        room_name: body.room_name,
        access_token: url.searchParams.get("access_token"),
      };
      const enter = () => api.call("POST /guest/conferences/token", { json });
      expect((await enter()).body.role).to.equal("moderator");
      const change = { ...as("organizer"), json: { moderator: fixture.organizer.login } };
      await api.call(`PATCH /conferences/${body.id}`, change);
      expect((await enter()).status).to.equal(403);
    });
  });

  describe("reading and finding", () => {
    it("searches name, id and room by substring, newest first, with the total", async () => {
      const fixture = await aConferenceFixture(database.db);
      const own = { as: fixture.admin };
      const add = (name: string) =>
        api.call("POST /conferences", { ...own, json: { participants: "a@b.test", name } });
      const first = (await add("Alpha 100%")).body;
      const second = (await add("alphabet")).body;
      await add("Beta");
      const find = async (query: string) => (await api.call(`GET /conferences?${query}`, own)).body;
      expect(await find("search=ALPHA")).to.deep.equal({ total: 2, data: [second, first] });
      expect(await find("search=ALPHA&order=asc&limit=1")).to.deep.equal({
        total: 2,
        data: [first],
      });
      expect(await find(`search=${enc("0%")}`)).to.deep.equal({ total: 1, data: [first] });
      // Room names are random and may contain the number as well.
      expect((await find(`search=${first.id}`)).data).to.deep.include(first);
      const part = first.room_name.slice(10, 40).toUpperCase();
      expect(await find(`search=${enc(part)}`)).to.deep.equal({ total: 1, data: [first] });
      expect((await find("status=ended,cancelled")).total).to.equal(0);
      expect((await find("since=2026-11-20T10:00:01Z")).total).to.equal(0);
      expect((await find("since=2026-11-20T10:00:00Z&offset=2")).data).to.deep.equal([first]);
    });

    it("shows agents the conferences they organize, moderate or created, and none of other enterprises", async () => {
      const { fixture } = api;
      const moderator = enc(fixture.moderator.login);
      const { body } = await create(`participants=a@b.test&moderator=${moderator}`);
      const read = async (who: Parameters<typeof as>[0]) =>
        (await api.call(`GET /conferences/${body.id}`, as(who))).status;
      expect(await read("organizer")).to.equal(200);
      expect(await read("moderator")).to.equal(200);
      expect(await read("admin")).to.equal(200);
      expect(await read("stranger")).to.equal(403);
      const elsewhere = await aConferenceFixture(database.db);
      const other = await api.call(`GET /conferences/${body.id}`, { as: elsewhere.admin });
      expect(other.status).to.equal(404);
    });
  });

  describe("changing", () => {
    it("changes the given fields and keeps the others, including the duration", async () => {
      const { body } = await create("participants=a@b.test&duration=45&name=Before");
      const json = { name: "After", startTime: "2026-11-21T09:00:00+01:00" };
      const after = await api.call(`PATCH /conferences/${body.id}`, { ...as("organizer"), json });
      expect(after.body).to.deep.equal({
        ...body,
        name: "After",
        start_time: "2026-11-21T08:00:00+00:00",
        end_time: "2026-11-21T08:45:00+00:00",
      });
    });

    it("replaces the guests, and cancels the old appointment of those removed", async () => {
      const { body } = await create(
        "participants=a@b.test,b@b.test&invite=1&startTime=2026-12-01T10:00:00Z",
      );
      const json = { participants: "b@b.test,c@b.test", startTime: "2026-12-02T11:00:00Z" };
      await api.call(`PATCH /conferences/${body.id}`, { ...as("organizer"), json });
      const { body: page } = await api.call(
        `GET /conferences/${body.id}/participants`,
        as("admin"),
      );
      expect(page.data.map(({ email }: { email: string }) => email)).to.deep.equal([
        "b@b.test",
        "c@b.test",
      ]);
      expect(await messagesAbout(database.db, body.id)).to.deep.equal([
        "a@b.test",
        "b@b.test",
        "a@b.test cancelled",
      ]);
      const [, , notice] = await database.db("messages").where({ conference_id: body.id });
      expect(notice.calendar).to.contain("DTSTART:20261201T100000Z");
    });

    it("invites the named guests, and returns the sent invitations", async () => {
      const { body } = await create("participants=a@b.test");
      const path = `POST /conferences/${body.id}/invitations`;
      const sent = await api.call(`${path}?participants=new@b.test`, as("organizer"));
      expect(sent.body).to.deep.equal({
        total: 1,
        data: [{ id: sent.body.data[0].id, channel: "email", recipient: "new@b.test" }],
      });
      expect(await messagesAbout(database.db, body.id)).to.deep.equal(["new@b.test"]);
    });
  });

  describe("DELETE and end", () => {
    it("cancels a scheduled conference, and notifies the guests once under concurrency", async () => {
      const { body } = await create(
        "participants=a@b.test&invite=1&startTime=2026-12-01T10:00:00Z",
      );
      const cancel = () => api.call(`DELETE /conferences/${body.id}`, as("organizer"));
      const answers = await Promise.all([cancel(), cancel()]);
      expect(answers.map(({ status }) => status)).to.have.members([204, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.details).to.equal(
        "Transition cancelled → cancelled",
      );
      expect(await messagesAbout(database.db, body.id)).to.deep.equal([
        "a@b.test",
        "a@b.test cancelled",
      ]);
      const link = await api.features.links.findByShortCode(body.short_url.slice(-12), "");
      expect(link).to.deep.equal({ kind: "cancelled" });
    });

    it("ends an ongoing conference and cancels a scheduled one, never both", async () => {
      const { body } = await create("participants=a@b.test");
      const end = () => api.call(`POST /conferences/${body.id}/end`, as("organizer"));
      const cancel = () => api.call(`DELETE /conferences/${body.id}`, as("organizer"));
      expect((await end()).body.details).to.equal("Transition scheduled → ended");
      await forceStatus(database.db, body.id, "ongoing");
      const [ended, cancelled] = await Promise.all([end(), cancel()]);
      expect([ended.status, ended.body.status]).to.deep.equal([200, "ended"]);
      expect(cancelled.status).to.equal(409);
      expect((await end()).body.details).to.equal("Transition ended → ended");
    });
  });
});
