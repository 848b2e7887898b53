/** Events caused by the customer at the link of a ticket. */
import { expect } from "chai";
import {
  aPicture,
  consent,
  createTicket,
  givePosition,
  openLink,
  succeed,
  upload,
  type Body,
} from "../calls.ts";
import type { Client, Service, Watch } from "../service.ts";
import { expectEvents, named, type ExpectedEvent } from "./expect-events.ts";

export function customerEventTests(service: Service): void {
  describe("the timeline of what customers do", () => {
    const watchAll = async (): Promise<Watch> => service.watch(["conversationevent.*"]);

    const requestor = named;

    /** A customer who has opened the link and consented. */
    const aCustomer = async (): Promise<{ ticket: Body; customer: Client }> => {
      const ticket = await createTicket(service, { ...named, invite: "1" });
      const customer = await openLink(service, ticket);
      await consent(customer);
      return { ticket, customer };
    };

    it("E-14: clicked, once, and by the page's own call, not by reading the link", async () => {
      const ticket = await createTicket(service, { ...named, invite: "1", email: "" });
      const watch = await watchAll();
      for (const _ of [1, 2]) {
        await fetch(String(ticket.requestor_url));
        await succeed(service, `GET /api/guest/tickets/${ticket.requestor_url.split("/").at(-1)}`);
      }
      const customer = await openLink(service, ticket);
      await succeed(customer, "POST /api/guest/click");
      await succeed(customer, "POST /api/guest/click");
      await consent(customer);
      await expectEvents(service, watch, ticket.id, [
        ["ticket.invitationClicked", 14, "guest", { requestor: { ...requestor, email: "" } }],
        ["consent.accepted", 20, "guest", {}],
      ]);
    });

    it("E-12, E-20, E-23, E-25, E-27: agreed, both devices granted, entered", async () => {
      const ticket = await createTicket(service, { ...named, invite: "1" });
      const customer = await openLink(service, ticket);
      const both = { json: { camera: true, microphone: true } };
      expect((await customer.call("POST /api/guest/devices", both)).status).to.equal(409);
      expect((await customer.call("POST /api/guest/accept")).status).to.equal(409);
      const watch = await watchAll();
      await consent(customer);
      await succeed(customer, "POST /api/guest/devices", both);
      await succeed(customer, "POST /api/guest/accept");
      await expectEvents(service, watch, ticket.id, [
        ["consent.accepted", 20, "guest", {}],
        ["mediaDevice.allowed", 23, "guest", { requestor }],
        ["mediaDevice.cameraAllowed", 25, "guest", { requestor }],
        ["mediaDevice.micAllowed", 27, "guest", { requestor }],
        ["ticket.invitationAccepted", 12, "guest", { requestor }],
      ]);
    });

    it("E-24..28: every answer of the device step, the common one only if both devices agree", async () => {
      const camera = {
        yes: ["mediaDevice.cameraAllowed", 25],
        no: ["mediaDevice.cameraDisallowed", 26],
      };
      const mic = { yes: ["mediaDevice.micAllowed", 27], no: ["mediaDevice.micDisallowed", 28] };
      for (const [answer, wanted] of [
        [{ camera: false, microphone: false }, [["mediaDevice.disallowed", 24], camera.no, mic.no]],
        [{ camera: true, microphone: false }, [camera.yes, mic.no]],
        [{ camera: false, microphone: true }, [camera.no, mic.yes]],
      ] as const) {
        const { ticket, customer } = await aCustomer();
        const watch = await watchAll();
        await succeed(customer, "POST /api/guest/devices", { json: answer });
        await expectEvents(
          service,
          watch,
          ticket.id,
          wanted.map(([type, code]): ExpectedEvent => [
            String(type),
            Number(code),
            "guest",
            { requestor },
          ]),
        );
      }
    });

    it("E-21, E-22, E-52: a position is sent, in lat and lng, or refused, once per request", async () => {
      const { ticket, customer } = await aCustomer();
      const watch = await watchAll();
      const geoloc = { lat: 48.6512, lng: -3.3645 };
      await givePosition(service, ticket.id, customer, geoloc);
      await givePosition(service, ticket.id, customer, null);
      await expectEvents(service, watch, ticket.id, [
        ["geo.ansAllowed", 21, "guest", { geoloc }],
        ["geo.ansDisallowed", 22, "guest", {}],
      ]);
    });

    it("E-40, E-42: a snapshot and pictures of either side have an entry, other files do not", async () => {
      const { ticket, customer } = await aCustomer();
      const { id: ticketId } = ticket;
      const watch = await watchAll();
      const text = {
        name: "a.pdf",
        type: "application/pdf",
        bytes: Buffer.from("%PDF-1.4\n%%EOF"),
      };
      const taken = await upload(service.agent, "/api/medias", aPicture(), {
        ticketId,
        kind: "snapshot",
      });
      await upload(service.agent, "/api/medias", text, { ticketId });
      const sent = await upload(service.agent, "/api/medias", aPicture(), { ticketId });
      const received = await upload(customer, "/api/guest/medias", aPicture());
      await expectEvents(service, watch, ticketId, [
        ["media.pictureTaken", 40, "agent", { mediaId: taken.id }],
        ["media.pictureSent", 42, "agent", { mediaId: sent.id }],
        ["media.pictureSent", 42, "guest", { mediaId: received.id }],
      ]);
    });
  });
}
