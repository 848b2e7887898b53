import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aForm, mediaEventsOf, tinyPng, useMedia } from "../support/media.ts";
import { aTicketRow } from "../support/media-rows.ts";
import { inWords, eventsAbout } from "../support/tickets.ts";

describe("files of tickets and conferences", () => {
  const database = useDatabase();
  const api = useMedia(database);

  const aTicket = () => aTicketRow(database.db, api.fixture);

  describe("uploading", () => {
    it("returns the media with its Location, and emits create, then update", async () => {
      const { id: ticketId, conversationId } = await aTicket();
      const { admin } = api.fixture;
      const form = aForm({ data: tinyPng, name: "a b.png" }, { ticketId });
      const { status, body, headers } = await api.call("POST /medias", { as: admin, form });
      expect(status).to.equal(201);
      expect(headers.get("location")).to.equal(`/api/medias/${body.id}`);
      expect(body).to.deep.equal({
        id: body.id,
        hash: body.hash,
        created: body.created,
        owner: { id: admin.id, name: admin.login },
        title: "a b.png",
        description: null,
        filename: "a b.png",
        status: "completed",
        media_type: "image",
        url: body.url,
        filesize: tinyPng.length,
        source_type: "ticket_share",
        geoloc: null,
        metadata: { geoloc: null },
        modified: body.modified,
        type: "image/png",
        _parent: { name: "ticket", id: ticketId },
      });
      expect(await mediaEventsOf(database.db, body.id)).to.deep.equal([
        "create inprogress",
        "update completed",
      ]);
      const read = await api.call(`GET /medias/${body.id}`, { as: admin });
      expect(read.body).to.deep.equal(body);
      expect(inWords(await eventsAbout(database.db, ticketId))).to.deep.equal([
        "media.pictureSent",
      ]);
      expect((await eventsAbout(database.db, ticketId))[0]!.props).to.deep.equal({
        eventType: "media.pictureSent",
        eventCode: 42,
        ticketId,
        conversationId,
        mediaId: body.id,
      });
    });

    it("adds a snapshot to the timeline, but no file that is not a picture", async () => {
      const { id: ticketId } = await aTicket();
      await api.upload({ data: tinyPng }, { ticketId, kind: "snapshot" });
      await api.upload({ data: Buffer.from("a,b"), name: "a.csv", type: "text/csv" }, { ticketId });
      const events = await eventsAbout(database.db, ticketId);
      expect(events.map(({ props }) => props["eventCode"])).to.deep.equal([40]);
    });

    it("rejects HTML under any name, and writes nothing", async () => {
      const { id: ticketId } = await aTicket();
      const html = Buffer.from("<!doctype html><script>alert(1)</script>");
      for (const [name, type] of [
        ["page.html", "text/html"],
        ["page.txt", "text/plain"],
        ["page.png", "image/png"],
      ] as const) {
        const { status, body } = await api.upload({ data: html, name, type }, { ticketId });
        expect([status, body.code], name).to.deep.equal([415, 14]);
      }
      const { body } = await api.call(`GET /medias?ticketId=${ticketId}`, {
        as: api.fixture.admin,
      });
      expect(body.total).to.equal(0);
    });

    it("requires a file, one parent, and both coordinates", async () => {
      const { id: ticketId } = await aTicket();
      const fault = async (fields: Record<string, string | number>) => {
        const { status, body } = await api.upload({ data: tinyPng }, fields);
        return `${status} ${body.details}`;
      };
      expect(await fault({})).to.equal("400 Parameter ticketId");
      expect(await fault({ ticketId, conferenceId: 1 })).to.equal("400 Parameter conferenceId");
      expect(await fault({ ticketId, latitude: 1 })).to.equal("400 Parameter longitude");
      expect(await fault({ ticketId, latitude: 91, longitude: 1 })).to.equal(
        "400 Parameter latitude",
      );
      expect(await fault({ ticketId: 999_999 })).to.match(/^404/u);
      const empty = await api.upload({ data: Buffer.alloc(0) }, { ticketId });
      expect([empty.status, empty.body.details]).to.deep.equal([400, "Parameter file"]);
    });

    it("stops at the enterprise's quota", async () => {
      const { enterpriseId } = api.fixture;
      const { id: ticketId } = await aTicket();
      const [kept] = await rowsOf<{ bytes: number }>(
        database.db,
        "SELECT sum(bytes)::bigint AS bytes FROM media WHERE enterprise_id = ?",
        [enterpriseId],
      );
      const quota = (kept?.bytes ?? 0) + tinyPng.length;
      const set = (bytes: number | null) =>
        database.db("enterprises").where({ id: enterpriseId }).update({ max_media_bytes: bytes });
      await set(quota);
      const [one, two] = await Promise.all([
        api.upload({ data: tinyPng }, { ticketId }),
        api.upload({ data: tinyPng }, { ticketId }),
      ]);
      await set(null);
      expect([one.status, two.status].toSorted((a, b) => a - b)).to.deep.equal([201, 403]);
      expect([one, two].find(({ status }) => status === 403)!.body.code).to.equal(16);
    });
  });

  describe("changing and deleting", () => {
    it("sets title, description and position with one event, and none without a difference", async () => {
      const { id: ticketId } = await aTicket();
      const id = await api.aPicture({ ticketId });
      const as = api.fixture.admin;
      const json = { title: "Boiler", description: "Plate", latitude: 1.5, longitude: 2.5 };
      const { status, body } = await api.call(`PATCH /medias/${id}`, { as, json });
      expect(status).to.equal(200);
      expect([body.title, body.description, body.geoloc]).to.deep.equal([
        "Boiler",
        "Plate",
        { lat: 1.5, lng: 2.5 },
      ]);
      await api.call(`PATCH /medias/${id}`, { as, json });
      expect((await api.events(id)).slice(2)).to.deep.equal(["update completed"]);
      const none = { latitude: null, longitude: null, description: null };
      const cleared = await api.call(`PATCH /medias/${id}`, { as, json: none });
      expect([cleared.body.description, cleared.body.geoloc]).to.deep.equal([null, null]);
      const half = await api.call(`PATCH /medias/${id}`, { as, json: { latitude: 3 } });
      expect([half.status, half.body.details]).to.deep.equal([400, "Parameter longitude"]);
    });

    it("hides deleted media, emits the last state, and removes the file later", async () => {
      const { id: ticketId } = await aTicket();
      const id = await api.aPicture({ ticketId });
      const as = api.fixture.admin;
      const { body: before } = await api.call(`GET /medias/${id}`, { as });
      expect((await api.call(`DELETE /medias/${id}`, { as })).status).to.equal(204);
      expect((await api.call(`DELETE /medias/${id}`, { as })).status).to.equal(404);
      expect((await api.call(`GET /medias/${id}`, { as })).status).to.equal(404);
      expect(await api.events(id)).to.deep.equal([
        "create inprogress",
        "update completed",
        "delete completed",
      ]);
      expect(await api.blobs.size(`media/${before.hash}/file`)).to.equal(tinyPng.length);
      await api.feature.cleanup.removeFiles();
      expect(await api.blobs.size(`media/${before.hash}/file`)).to.equal(undefined);
      expect((await api.fetchFile(before.url)).status).to.equal(410);
    });

    it("serves the whole file and ranges", async () => {
      const { id: ticketId } = await aTicket();
      const file = { data: Buffer.from("0123456789"), name: "été.txt", type: "text/plain" };
      const { body } = await api.upload(file, { ticketId });
      const path = `GET /medias/${body.id}/download`;
      const as = api.fixture.agent;
      const whole = await api.call(path, { as });
      expect([whole.status, whole.text]).to.deep.equal([200, "0123456789"]);
      expect(whole.headers.get("content-type")).to.equal("text/plain");
      expect(whole.headers.get("content-disposition")).to.equal(
        `attachment; filename="_t_.txt"; filename*=UTF-8''%C3%A9t%C3%A9.txt`,
      );
      for (const accept of ["text/plain", "image/*", "application/json"]) {
        const { status } = await api.call(path, { as, headers: { accept } });
        expect(status, accept).to.equal(200);
      }
      const part = await api.call(path, { as, headers: { range: "bytes=2-4" } });
      expect([part.status, part.text]).to.deep.equal([206, "234"]);
      expect(part.headers.get("content-range")).to.equal("bytes 2-4/10");
    });
  });
});
