/** Media of a ticket. */
import { expect } from "chai";
import { aPicture, createTicket, succeed, upload, whoIs } from "../calls.ts";
import type { Service } from "../service.ts";
import { aText, aUuid, addressUnder, expectWhole } from "../shapes.ts";

export function mediaTests(service: Service): void {
  describe("media of a ticket", () => {
    it("TM-01..06, TM-08: an item, whose URL returns the file", async () => {
      const ticket = await createTicket(service);
      const file = aPicture("meter 1.png");
      const { id } = await upload(service.agent, "/api/medias", file, { ticketId: ticket.id });
      const { medias } = await succeed(service.agent, `GET /api/tickets/${ticket.id}/medias`);
      expectWhole(medias, [
        {
          id,
          title: "meter 1.png",
          type: "image/png",
          hash: aUuid,
          description: null,
          source_type: "ticket_share",
          url: addressUnder(
            `${service.url}/attachments/${String(medias[0].hash)}/`,
            "[^/?]+\\?e=\\d+&s=[0-9A-Za-z_-]+",
          ),
        },
      ]);
      const answer = await fetch(String(medias[0].url));
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("content-type")).to.equal("image/png");
      expect(Buffer.from(await answer.arrayBuffer()).equals(file.bytes)).to.equal(true);
    });

    it("TM-06, TM-07: a snapshot has its source_type and its location, in lat and lon", async () => {
      const ticket = await createTicket(service);
      const fields = { ticketId: ticket.id, kind: "snapshot", latitude: 48.65, longitude: -3.36 };
      const more = { title: "The meter", description: "In the cellar" };
      const { id, hash } = await upload(service.agent, "/api/medias", aPicture(), {
        ...fields,
        ...more,
      });
      const { medias } = await succeed(service.agent, `GET /api/tickets/${ticket.id}/medias`);
      expectWhole(medias, [
        {
          id,
          ...more,
          type: "image/png",
          hash,
          source_type: "ticket_snapshot",
          location: { lat: 48.65, lon: -3.36 },
          url: aText,
        },
      ]);
    });

    it("TM-09: the envelope has limit, offset, medias, and the count of all", async () => {
      const { enterpriseId } = await whoIs(service.admin);
      const ticket = await createTicket(service);
      const path = `/api/enterprises/${String(enterpriseId)}/tickets/${ticket.id}/medias`;
      expect(await succeed(service.admin, `GET ${path}`)).to.deep.equal({
        limit: 10,
        offset: 0,
        medias: [],
        count: 0,
      });
      const ids: number[] = [];
      for (const name of ["1.png", "2.png", "3.png"]) {
        const fields = { ticketId: ticket.id };
        ids.push((await upload(service.agent, "/api/medias", aPicture(name), fields)).id);
      }
      const { medias, ...rest } = await succeed(service.admin, `GET ${path}?limit=1&offset=1`);
      expect(rest).to.deep.equal({ limit: 1, offset: 1, count: 3 });
      expect(medias.map(({ id }: { id: number }) => id)).to.deep.equal([ids[1]]);
    });
  });
}
