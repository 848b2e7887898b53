import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import {
  aTenantRoom,
  anAgreedRoom,
  aTicketRoom,
  issueVisitorToken,
} from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { connectGuest, enterRoom, hear, joinCall } from "../../support/signalling.ts";

/** Long intervals, so that no periodic check runs during a test. */
const times = { heartbeatMs: 60_000, goneMs: 120_000, tokensMs: 120_000 };

describe("the end of a room, for the pages of another process", () => {
  const fixture = useSignalling({ nodes: 2, times });
  const { database } = fixture;

  const staff = (operation: string) => fixture.rest(fixture.tenant.members.admin.token, operation);

  const ends: Record<string, [state: string, operation: (id: number) => string]> = {
    cancelled: ["invited", (id) => `POST /tickets/${id}/cancel`],
    rejected: ["open", (id) => `POST /tickets/${id}/reject`],
    closed: ["done", (id) => `POST /tickets/${id}/close`],
    deleted: ["opened", (id) => `DELETE /tickets/${id}`],
  };
  for (const [what, [state, operation]] of Object.entries(ends)) {
    it(`reaches a waiting customer as soon as the ticket is ${what}`, async () => {
      const { guest, customer } = await aTicketRoom(database.db, fixture.tenant);
      await database.db("tickets").where({ id: guest.ticketId }).update({ state });
      const client = await enterRoom(fixture.at(1), customer);
      const other = await aTicketRoom(database.db, fixture.tenant);
      const elsewhere = await enterRoom(fixture.at(1), other.customer);
      expect(await staff(operation(guest.ticketId ?? 0))).to.be.within(200, 204);
      expect(await hear(client, "over")).to.deep.equal({ reason: "room" });
      await eventually(() => !client.socket.connected);
      expect(elsewhere.of("over"), "another room").to.deep.equal([]);
    });
  }

  it("ends the participations of a running call first, with the entries in the same order", async () => {
    const { guest, customer, agent } = await anAgreedRoom(database.db, fixture.tenant);
    const people = [await joinCall(fixture.at(1), customer), await joinCall(fixture.node, agent)];
    expect(await staff(`POST /tickets/${guest.ticketId}/cancel`)).to.equal(200);
    for (const { heard, socket } of people) {
      await eventually(() => !socket.connected);
      const notified = heard.filter(({ type }) => type === "left" || type === "over");
      expect(notified).to.deep.equal([
        { type: "left", input: { reason: "ended" } },
        { type: "over", input: { reason: "room" } },
      ]);
    }
    const entries = await database
      .db("session_events")
      .where({ ticket_id: guest.ticketId })
      .orderBy("id")
      .pluck("event_type");
    expect(entries.slice(-3)).to.have.members([
      ...["session.userLeft", "session.agentLeft", "ticket.cancelled"],
    ]);
    expect(entries.at(-1)).to.equal("ticket.cancelled");
  });

  it("shows people in a call that it was completed, and they may rejoin", async () => {
    const { guest, customer, agent } = await anAgreedRoom(database.db, fixture.tenant);
    const person = await joinCall(fixture.at(1), customer);
    await joinCall(fixture.node, agent);
    expect(await staff(`POST /tickets/${guest.ticketId}/complete`)).to.equal(200);
    expect(await hear(person, "left")).to.deep.equal({ reason: "ended" });
    expect(person.of("over")).to.deep.equal([]);
  });

  it("reaches guests in the waiting room, when the meeting is cancelled or ended", async () => {
    for (const [status, operation] of [
      ["scheduled", (id: number) => `DELETE /conferences/${id}`],
      ["ongoing", (id: number) => `POST /conferences/${id}/end`],
      ["ongoing", undefined],
    ] as const) {
      const host = await aTenantRoom(database.db, fixture.tenant, "organizer");
      const { conferenceId } = host.guest;
      const token = await issueVisitorToken(host.guest, { role: "waiting", name: "Nia" });
      const waiting = await connectGuest(fixture.at(1), token);
      expect((await waiting.ask("knock")).status).to.equal("waiting");
      if (operation === undefined) {
        const organizer = await joinCall(fixture.node, host.token);
        expect((await organizer.ask("end")).ok).to.equal(true);
        expect(await hear(organizer, "left")).to.deep.equal({ reason: "ended" });
      } else {
        await database.db("conferences").where({ id: conferenceId }).update({ status });
        expect(await staff(operation(conferenceId ?? 0))).to.be.within(200, 204);
      }
      expect(await hear(waiting, "over"), String(operation)).to.deep.equal({ reason: "room" });
    }
  });
});
