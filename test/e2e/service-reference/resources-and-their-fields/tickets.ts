/** A ticket in the response to its creation, and as an item of the list. */
import { expect } from "chai";
import {
  aPhone,
  consent,
  createTicket,
  givePosition,
  informationCodeOf,
  openLink,
  queryOf,
  succeed,
  whoIs,
} from "../calls.ts";
import type { Service } from "../service.ts";
import {
  aServiceKey,
  aText,
  aTimestamp,
  addressUnder,
  anInteger,
  expectWhole,
  secondsBetween,
} from "../shapes.ts";

export function ticketTests(service: Service): void {
  describe("a ticket", () => {
    const shapeOf = () => ({
      id: anInteger,
      state: "new",
      status: "new",
      reference: "",
      created: aTimestamp,
      modified: aTimestamp,
      start_time: aTimestamp,
      end_time: aTimestamp,
      subject: null,
      type: "",
      description: null,
      agent: service.agent.login,
      requestor_url: addressUnder(service.url, "/v/[0-9A-Za-z]{22}"),
      requestor: { phone: aPhone } as Record<string, string>,
      information_page_url: addressUnder(service.url, "/i/[0-9A-Za-z]{10}"),
      service_key: aServiceKey,
      agent_url: `${service.url}/agent`,
      name: null as string | null,
      button_id: anInteger,
    });

    it("T-01..04, T-09..12, T-16, T-17, T-19, T-20: as it is created, with nothing optional", async () => {
      expectWhole(await createTicket(service), shapeOf());
    });

    it("T-04, T-09..11, T-14, T-19: as it is created, with everything", async () => {
      const input = {
        reference: "Order 12 / b",
        subject: "Leaking pipe",
        type: "plumbing",
        description: "<b>Second</b> floor",
        name: "Mrs Martin",
      };
      const person = { firstname: "Ann", lastname: "Martin", company: "Martin & Co" };
      const contact = { email: "Ann@Guests.Example", phone: aPhone };
      expectWhole(await createTicket(service, { ...input, ...person, ...contact, invite: "1" }), {
        ...shapeOf(),
        ...input,
        state: "invited",
        status: "invited",
        requestor: { ...person, email: "Ann@guests.example", phone: aPhone },
      });
    });

    it("T-05..08: times are ISO 8601 in UTC with +00:00 and no fraction, end_time 30 minutes on", async () => {
      const now = await createTicket(service);
      expectWhole(
        { created: now.created, modified: now.modified, from: now.start_time, to: now.end_time },
        { created: aTimestamp, modified: aTimestamp, from: aTimestamp, to: aTimestamp },
      );
      expect(secondsBetween(now.start_time, now.end_time)).to.equal(1800);
      expect(Math.abs(secondsBetween(now.created, now.start_time))).to.be.at.most(5);
      const planned = { startTime: "2030-06-01T10:00:00+02:00", duration: "45" };
      const later = await createTicket(service, planned);
      expect(later.start_time).to.equal("2030-06-01T08:00:00+00:00");
      expect(later.end_time).to.equal("2030-06-01T08:45:00+00:00");
    });

    it("T-13, T-15: its two links lead to it", async () => {
      const ticket = await createTicket(service, { subject: "Meter" });
      const code = informationCodeOf(ticket);
      const secret = String(ticket.requestor_url).split("/").at(-1);
      const wanted = {
        state: "new",
        service_name: aText,
        enterprise_name: aText,
        agent_name: (await whoIs(service.agent)).nickname,
        name: null,
        subject: "Meter",
        language: null,
        start_time: ticket.start_time,
        end_time: ticket.end_time,
        requestor_url: ticket.requestor_url,
        asks: ["camera", "microphone"],
        is_survey_due: false,
      };
      expectWhole(await succeed(service, `GET /api/guest/tickets/${secret}`), wanted);
      expectWhole(await succeed(service, `GET /api/guest/information/${code}`), wanted);
    });

    it("T-18: has sso_url with an access token, when the scope sso is asked for", async () => {
      const ticket = await createTicket(service, { scope: "sso" });
      const page = `/entrypoint/${ticket.button_id}/tickets/${ticket.id}`;
      expectWhole(ticket, {
        ...shapeOf(),
        sso_url: addressUnder(service.url, `/agent${page}\\?access_token=[0-9A-Za-z_-]{43}`),
      });
    });

    it("T-22..24: as an item of the list: total and data, with geoloc, without five keys", async () => {
      const reference = `list ${Date.now()}`;
      const ticket = await createTicket(service, { reference, invite: "1" });
      const list = `GET /api/tickets?${queryOf({ reference })}`;
      const { status, agent_url, name, button_id, ...item } = ticket;
      expect([status, agent_url, name, button_id]).to.not.include(undefined);
      expect(await succeed(service.admin, list)).to.deep.equal({
        total: 1,
        data: [{ ...item, geoloc: null }],
      });
      const customer = await openLink(service, ticket);
      await consent(customer);
      const geoloc = { lat: 48.65, lng: -3.36 };
      await givePosition(service, ticket.id, customer, geoloc);
      const after = await succeed(service.admin, list);
      expectWhole(after, { total: 1, data: [{ ...item, modified: aTimestamp, geoloc }] });
    });
  });
}
