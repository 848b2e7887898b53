/** A conference and its media. */
import { expect } from "chai";
import { aFilm, aPicture, createConference, queryOf, succeed, upload, whoIs } from "../calls.ts";
import type { Service } from "../service.ts";
import {
  aServiceKey,
  aText,
  aTimestamp,
  aUuid,
  addressUnder,
  anInteger,
  expectWhole,
  like,
  secondsBetween,
} from "../shapes.ts";

export function conferenceTests(service: Service): void {
  describe("a conference", () => {
    const shapeOf = async () => {
      const { userId, nickname } = await whoIs(service.agent);
      const agent = { id: userId, name: nickname };
      return {
        id: anInteger,
        name: like(/^Conference-\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(GMT [+-]\d\d:\d\d\)$/u),
        created: aTimestamp,
        modified: aTimestamp,
        start_time: aTimestamp,
        end_time: aTimestamp,
        status: "scheduled",
        room_name: like(/^[0-9a-f]{32}:[0-9a-f]{32}$/u),
        url: addressUnder(service.url, "/m/[a-z0-9]{32}/[0-9a-f]{32}:[0-9a-f]{32}"),
        short_url: addressUnder(service.url, "/s/[0-9A-Za-z]{12}"),
        sip_phone_number: aText,
        sip_dtmf_code: like(/^\d{9}$/u),
        organizer: agent,
        created_by: agent,
        service_key: aServiceKey,
        moderator: agent,
      };
    };

    it("C-01..09, C-11..16: as it is created", async () => {
      const conference = await createConference(service);
      expectWhole(conference, await shapeOf());
      expect(secondsBetween(conference.start_time, conference.end_time)).to.equal(3600);
      expect(conference.url).to.equal(
        `${service.url}/m/${conference.service_key}/${conference.room_name}`,
      );
      const { userId, nickname } = await whoIs(service.admin);
      const moderated = { name: "Site visit", moderator: service.admin.login };
      expectWhole(await createConference(service, moderated), {
        ...(await shapeOf()),
        name: "Site visit",
        moderator: { id: userId, name: nickname },
      });
    });

    it("C-13, C-14: its organizer may differ from its creator", async () => {
      const organizer = await whoIs(service.agent);
      const creator = await whoIs(service.admin);
      const query = queryOf({
        participants: "ann@guests.example",
        organizer: service.agent.login,
      });
      const conference = await succeed(service.admin, `POST /api/conferences?${query}`);
      expect(conference).to.deep.include({
        organizer: { id: organizer.userId, name: organizer.nickname },
        created_by: { id: creator.userId, name: creator.nickname },
      });
    });

    it("C-10: its short address leads to the long one and keeps the query", async () => {
      const { short_url, url } = await createConference(service);
      const answer = await fetch(`${String(short_url)}?name=Ann`, { redirect: "manual" });
      expect(answer.status).to.equal(302);
      expect(answer.headers.get("location")).to.equal(`${String(url)}?name=Ann`);
    });

    it("C-17: the list has total and data, with the same fields", async () => {
      const name = `Meeting ${Date.now()}`;
      const conference = await createConference(service, { name });
      expect(
        await succeed(service.agent, `GET /api/conferences?${queryOf({ search: name })}`),
      ).to.deep.equal({ total: 1, data: [conference] });
    });

    it("CM-01..15: its media: total and data, geoloc in lat and lng, null if there is none", async () => {
      const conference = await createConference(service);
      const path = `/api/conferences/${conference.id}/media`;
      expect(await succeed(service.agent, `GET ${path}`)).to.deep.equal({ total: 0, data: [] });
      const film = { name: "walk.mp4", type: "video/mp4", bytes: aFilm() };
      const id = { conferenceId: conference.id };
      await upload(service.agent, "/api/medias", film, id);
      const { service_key, room_name } = conference;
      const guest = await succeed(service, "POST /api/guest/conferences/token", {
        json: { service_key, room_name, name: "Gil" },
      });
      const position = { latitude: 48.65, longitude: -3.36 };
      await upload(service.as(guest.room_token), "/api/guest/medias", aPicture(), position);
      const me = await whoIs(service.agent);
      const common = {
        id: anInteger,
        hash: aUuid,
        created: aTimestamp,
        description: null,
        status: "completed",
        source_type: "conf_share",
      };
      const geoloc = { lat: 48.65, lng: -3.36 };
      const list = await succeed(service.agent, `GET ${path}?limit=5&orderby=date&order=asc`);
      expectWhole(list, {
        total: 2,
        data: [
          {
            ...common,
            owner: { id: me.userId, name: me.nickname },
            title: "walk.mp4",
            filename: "walk.mp4",
            media_type: "video",
            url: addressUnder(service.url, "/attachments/[0-9a-f-]{36}/walk.mp4\\?e=.+&s=.+"),
            filesize: aFilm().length,
            geoloc: null,
            metadata: { geoloc: null },
          },
          {
            ...common,
            owner: { id: 0, name: "Gil" },
            title: "meter.png",
            filename: "meter.png",
            media_type: "image",
            url: addressUnder(service.url, "/attachments/[0-9a-f-]{36}/meter.png\\?e=.+&s=.+"),
            filesize: aPicture().bytes.length,
            geoloc,
            metadata: { geoloc },
          },
        ],
      });
    });
  });
}
