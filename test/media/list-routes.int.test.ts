import { expect } from "chai";
import { testBaseUrl } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { tinyPng, useMedia } from "../support/media.ts";
import { aConferenceRow, aTicketRow } from "../support/media-rows.ts";
import { aTestUser, aTicketFixture } from "../support/tickets.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

describe("lists of files", () => {
  const database = useDatabase();
  const api = useMedia(database);

  const aTicket = () => aTicketRow(database.db, api.fixture);
  const aConference = () => aConferenceRow(database.db, api.fixture);

  it("show a ticket's files with limit, offset, medias and count, and lon only where known", async () => {
    const { id: ticketId } = await aTicket();
    const { admin, enterpriseId } = api.fixture;
    const plain = await api.upload({ data: tinyPng, name: "plain.png" }, { ticketId });
    api.clock.advance(1_000);
    const placed = await api.upload(
      { data: tinyPng, name: "meter.png" },
      { ticketId, title: "Meter", description: "Flat 3", latitude: 48.65, longitude: -3.36 },
    );
    const path = `/enterprises/${enterpriseId}/tickets/${ticketId}/medias`;
    const { status, body, headers } = await api.call(`GET ${path}`, { as: admin });
    expect(status).to.equal(200);
    const [first, second] = body.medias;
    expect(first.hash).to.match(uuid);
    expect(first.url).to.match(
      new RegExp(
        `^${testBaseUrl}/attachments/${first.hash}/meter\\.png\\?e=\\d+&s=[\\w-]{43}$`,
        "u",
      ),
    );
    expect(body).to.deep.equal({
      limit: 10,
      offset: 0,
      medias: [
        {
          id: placed.body.id,
          title: "Meter",
          type: "image/png",
          hash: first.hash,
          description: "Flat 3",
          source_type: "ticket_share",
          location: { lat: 48.65, lon: -3.36 },
          url: first.url,
        },
        {
          id: plain.body.id,
          title: "plain.png",
          type: "image/png",
          hash: second.hash,
          description: null,
          source_type: "ticket_share",
          url: second.url,
        },
      ],
      count: 2,
    });
    expect(headers.get("x-total-count")).to.equal("2");
    const alias = await api.call(`GET /tickets/${ticketId}/medias`, { as: admin });
    expect(alias.body).to.deep.equal(body);
  });

  it("show a conference's files with total and data, and lng twice", async () => {
    const { id: conferenceId } = await aConference();
    const { admin } = api.fixture;
    const file = { data: Buffer.from("minutes"), name: "minutes.txt", type: "text/plain" };
    const plain = await api.upload(file, { conferenceId });
    api.clock.advance(1_000);
    const placed = await api.upload(
      { data: tinyPng },
      { conferenceId, kind: "snapshot", latitude: 48.65, longitude: -3.36 },
    );
    const { body } = await api.call(`GET /conferences/${conferenceId}/media`, { as: admin });
    const [first, second] = body.data;
    const geoloc = { lat: 48.65, lng: -3.36 };
    expect(body).to.deep.equal({
      total: 2,
      data: [
        {
          id: placed.body.id,
          hash: first.hash,
          created: first.created,
          owner: { id: admin.id, name: admin.login },
          title: "photo.png",
          description: null,
          filename: "photo.png",
          status: "completed",
          media_type: "image",
          url: first.url,
          filesize: tinyPng.length,
          source_type: "conf_snapshot",
          geoloc,
          metadata: { geoloc },
        },
        {
          id: plain.body.id,
          hash: second.hash,
          created: second.created,
          owner: { id: admin.id, name: admin.login },
          title: "minutes.txt",
          description: null,
          filename: "minutes.txt",
          status: "completed",
          media_type: "document",
          url: second.url,
          filesize: 7,
          source_type: "conf_share",
          geoloc: null,
          metadata: { geoloc: null },
        },
      ],
    });
    expect(first.created).to.match(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/u);
  });

  it("count all matches, and support limit, offset, order and status", async () => {
    const { id: ticketId } = await aTicket();
    const { admin } = api.fixture;
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push(await api.aPicture({ ticketId }));
      api.clock.advance(1_000);
    }
    await database.db("media").where({ id: ids[1] }).update({ state: "error" });
    const list = async (query: string) =>
      (await api.call(`GET /tickets/${ticketId}/medias?${query}`, { as: admin })).body;
    const page = await list("limit=1&offset=1");
    expect([page.limit, page.offset, page.count]).to.deep.equal([1, 1, 2]);
    expect(page.medias.map(({ id }: { id: number }) => id)).to.deep.equal([ids[0]]);
    const all = await list("status=completed,error&order=asc&orderby=id");
    expect(all.medias.map(({ id }: { id: number }) => id)).to.deep.equal(ids);
  });

  for (const [query, field] of [
    ["limit=101", "limit"],
    ["limit=x", "limit"],
    ["offset=-1", "offset"],
    ["status=lost", "status"],
    ["orderby=size", "orderby"],
  ]) {
    it(`reject ?${query} and name the field`, async () => {
      const { id } = await aTicket();
      const answer = await api.call(`GET /tickets/${id}/medias?${query}`, {
        as: api.fixture.admin,
      });
      expect([answer.status, answer.body.details]).to.deep.equal([400, `Parameter ${field}`]);
    });
  }

  it("answer 404 for tickets of other enterprises, and reject ids that are not numbers", async () => {
    const foreign = await aTicketFixture(database.db);
    const { id } = await aTicketRow(database.db, foreign);
    const { admin, enterpriseId } = api.fixture;
    const statuses = await Promise.all(
      [
        `/tickets/${id}/medias`,
        `/enterprises/${enterpriseId}/tickets/${id}/medias`,
        `/enterprises/${foreign.enterpriseId}/tickets/${id}/medias`,
        `/enterprises/x/tickets/1/medias`,
        `/enterprises/${enterpriseId}/tickets/1.5/medias`,
      ].map(async (path) => (await api.call(`GET ${path}`, { as: admin })).status),
    );
    expect(statuses).to.deep.equal([404, 404, 404, 400, 400]);
  });

  it("show an agent their own files only", async () => {
    const { id: ticketId } = await aTicket();
    const { id: conferenceId } = await aConference();
    const own = [await api.aPicture({ ticketId }), await api.aPicture({ conferenceId })];
    const other = await aTestUser(database.db, api.fixture.enterpriseId, "agent");
    const { id: otherTicket } = await aTicketRow(database.db, api.fixture, { agent_id: other.id });
    const theirs = await api.aPicture({ ticketId: otherTicket });
    const { body } = await api.call("GET /medias?limit=100", { as: api.fixture.agent });
    const ids = body.data.map(({ id }: { id: number }) => id);
    expect(ids).to.include.members(own);
    expect(ids).not.to.include(theirs);
    const denied = await api.call(`GET /medias/${theirs}`, { as: api.fixture.agent });
    expect(denied.status).to.equal(403);
    const list = await api.call(`GET /tickets/${otherTicket}/medias`, { as: api.fixture.agent });
    expect(list.status).to.equal(403);
  });
});
