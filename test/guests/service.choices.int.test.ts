import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { agreed, useGuests } from "../support/guests.ts";
import { forceState, inWords } from "../support/tickets.ts";

const jane = { email: "jane@example.com", phone: "", firstname: "Jane", lastname: "" };

describe("positions and declined invitations", () => {
  const database = useDatabase();
  const harness = useGuests(database);

  const visit = async (more: Record<string, unknown> = {}) => {
    const { id, secret } = await harness.invite(more);
    return { id, secret, ...(await harness.enter(secret)) };
  };

  describe("a position", () => {
    it("is requested once until it is answered, and can then be requested again", async () => {
      const { id, post } = await visit();
      await post("consent", agreed);
      const ask = () =>
        harness.call(`POST /tickets/${id}/position-requests`, { as: harness.fixture.agent });
      const answer = (request: string, geoloc: unknown) =>
        post(`position-requests/${request}/answer`, { geoloc });
      const [first, second] = await Promise.all([ask(), ask()]);
      expect(first?.body).to.deep.equal(second?.body);
      await answer(first?.body.id, null);
      const third = await ask();
      expect(third.body.id).to.not.equal(first?.body.id);
      await answer(third.body.id, { lat: -90, lng: 180 });
      expect(await harness.eventNamesSince(id)).to.deep.equal([
        "consent.accepted",
        "geo.ansDisallowed",
        "geo.ansAllowed",
        "ticket update invited",
      ]);
      const { body } = await harness.call(`GET /tickets?limit=1`, { as: harness.fixture.admin });
      expect(body.data[0]).to.deep.include({ id, geoloc: { lat: -90, lng: 180 } });
    });

    it("keeps its accuracy beside the ticket, whose shape has none", async () => {
      const { id, post } = await visit();
      const read = async () =>
        (await harness.call(`GET /tickets/${id}/position`, { as: harness.fixture.agent })).body;
      expect(await read()).to.deep.equal({ geoloc: null, accuracy: null, created: null });
      await post("consent", agreed);
      const answer = async (geoloc: unknown) => {
        const path = `POST /tickets/${id}/position-requests`;
        const asked = await harness.call(path, { as: harness.fixture.agent });
        harness.features.clock.advance(1_000);
        return (await post(`position-requests/${asked.body.id}/answer`, { geoloc })).status;
      };
      expect(await answer({ lat: 48.65, lng: -3.36, accuracy: -1 })).to.equal(400);
      expect(await answer({ lat: 48.65, lng: -3.36, accuracy: 12.5 })).to.equal(204);
      const found = { geoloc: { lat: 48.65, lng: -3.36 }, accuracy: 12.5 };
      expect(await read()).to.deep.include(found);
      expect(await answer(null)).to.equal(204);
      expect(await read(), "a refusal does not hide it").to.deep.include(found);
      expect(await answer({ lat: 1, lng: 2 })).to.equal(204);
      expect(await read()).to.deep.include({ geoloc: { lat: 1, lng: 2 }, accuracy: null });
      const events = (await harness.eventsSince(id)).filter(({ props }) => "geoloc" in props);
      expect(events[0]?.props["geoloc"]).to.deep.equal(found.geoloc);
    });

    it("is rejected if it is off the globe, or for another ticket's or an unknown request", async () => {
      const { id, post } = await visit();
      await post("consent", agreed);
      const other = await visit();
      const { body } = await harness.call(`POST /tickets/${other.id}/position-requests`, {
        as: harness.fixture.agent,
      });
      const answer = (request: string, lat: number) =>
        post(`position-requests/${request}/answer`, { geoloc: { lat, lng: 0 } });
      expect((await answer(body.id, 91)).status).to.equal(400);
      expect((await answer(body.id, 1)).status).to.equal(404);
      expect((await answer("00000000-0000-4000-8000-000000000000", 1)).status).to.equal(404);
      expect((await answer("x", 1)).status).to.equal(400);
      expect(await harness.eventNamesSince(id)).to.deep.equal(["consent.accepted"]);
    });

    it("cannot be requested on a ticket that is over", async () => {
      const { id } = await visit();
      await forceState(database.db, id, "closed");
      const { status } = await harness.call(`POST /tickets/${id}/position-requests`, {
        as: harness.fixture.agent,
      });
      expect(status).to.equal(409);
    });
  });

  describe("declining", () => {
    it("writes one entry, updates the ticket, and expires the link until a new invitation", async () => {
      const { id, secret, post } = await visit();
      const answers = await Promise.all([1, 2, 3].map(() => post("decline")));
      expect(answers.map(({ status }) => status)).to.deep.equal([204, 204, 204]);
      const events = await harness.eventsSince(id);
      expect(inWords(events)).to.deep.equal([
        "ticket.invitationDeclined",
        "ticket update declined",
      ]);
      expect(events[0]?.props["requestor"]).to.deep.equal(jane);
      expect((await harness.call(`GET /guest/tickets/${secret}`)).status).to.equal(410);
      expect((await post("consent", agreed)).body).to.include({ status: 410, code: 17 });
      harness.features.clock.advance(60_000);
      await harness.call(`POST /tickets/${id}/invitations`, { as: harness.fixture.agent });
      expect((await harness.call(`GET /guest/tickets/${secret}`)).status).to.equal(200);
    });

    for (const [state, status] of [
      ["new", 409],
      ["inprogress", 409],
      ["done", 409],
      ["expired", 410],
      ["closed", 410],
    ] as const) {
      it(`is rejected with ${status} while the ticket is ${state}`, async () => {
        const { id, post } = await visit();
        await forceState(database.db, id, state);
        expect((await post("decline")).status).to.equal(status);
        expect(await harness.eventsSince(id)).to.deep.equal([]);
      });
    }
  });
});
