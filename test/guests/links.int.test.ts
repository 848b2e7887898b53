import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { testBaseUrl, testRoomTokens } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { useGuests } from "../support/guests.ts";
import { aTestUser, aTicketFixture, forceState } from "../support/tickets.ts";

const day = 86_400_000;

describe("a customer's link", () => {
  const database = useDatabase();
  const harness = useGuests(database);
  const open = (secret: string) => harness.call(`GET /guest/tickets/${secret}`);

  it("returns the page's data by secret and by short code, without ids", async () => {
    const { secret, body } = await harness.invite({
      name: "Jane",
      subject: "Leak",
      language: "de",
    });
    const { status, text } = await open(secret);
    expect(status).to.equal(200);
    const { enterpriseId } = harness.fixture;
    const [names] = await rowsOf<{ service: string; enterprise: string }>(
      database.db,
      `SELECT s.name AS service, e.name AS enterprise
        FROM services s JOIN enterprises e ON e.id = s.enterprise_id WHERE e.id = ?`,
      [enterpriseId],
    );
    expect(text).to.equal(
      JSON.stringify({
        state: "invited",
        service_name: names?.service,
        enterprise_name: names?.enterprise,
        agent_name: "Ada Agent",
        name: "Jane",
        subject: "Leak",
        language: "de",
        start_time: body.start_time,
        end_time: body.end_time,
        requestor_url: `${testBaseUrl}/v/${secret}`,
        asks: ["camera", "microphone"],
        is_survey_due: false,
      }),
    );
    const code = body.information_page_url.split("/i/")[1];
    expect((await harness.call(`GET /guest/information/${code}`)).text).to.equal(text);
  });

  it("announces a position request, and falls back to the service's language", async () => {
    const { secret } = await harness.invite();
    const { enterpriseId } = harness.fixture;
    const change = (asks: boolean, language: string | null) =>
      database
        .db("services")
        .where({ enterprise_id: enterpriseId })
        .update({ asks_position: asks, language });
    await change(true, "it");
    const { body } = await open(secret);
    await change(false, null);
    expect(body.asks).to.deep.equal(["camera", "microphone", "position"]);
    expect(body.language).to.equal("it");
  });

  it("answers 404 if it is unknown", async () => {
    for (const path of ["tickets/aaaaaaaaaaaaaaaaaaaaaa", "information/aaaaaaaaaa"]) {
      const { body } = await harness.call(`GET /guest/${path}`);
      expect(body).to.include({ status: 404, code: 8 });
    }
    expect((await harness.call("GET /guest/tickets/short")).status).to.equal(400);
  });

  const act = (id: number, action: string) =>
    harness.call(`POST /tickets/${id}/${action}`, { as: harness.fixture.admin });
  const ends: Record<string, [reason: string, end: (id: number) => Promise<unknown>]> = {
    expired: ["expired", (id) => forceState(database.db, id, "expired")],
    declined: ["declined", (id) => forceState(database.db, id, "declined")],
    rejected: ["cancelled", (id) => forceState(database.db, id, "rejected")],
    cancelled: ["cancelled", (id) => act(id, "cancel")],
    closed: [
      "closed",
      async (id) => {
        await forceState(database.db, id, "done");
        await act(id, "close");
      },
    ],
    deleted: [
      "deleted",
      (id) => harness.call(`DELETE /tickets/${id}`, { as: harness.fixture.admin }),
    ],
  };
  for (const [what, [reason, end]] of Object.entries(ends)) {
    it(`answers 410 with the reason when the ticket is ${what}`, async () => {
      const { id, secret, body } = await harness.invite();
      const code = body.information_page_url.split("/i/")[1];
      const visit = await harness.enter(secret);
      await end(id);
      const gone = { status: 410, code: 17, details: `Reason ${reason}` };
      expect((await open(secret)).body).to.include(gone);
      expect((await harness.call(`GET /guest/information/${code}`)).body).to.include(gone);
      const token = await harness.call(`POST /guest/tickets/${secret}/token`);
      expect(token.body).to.include(gone);
      expect((await visit.post("click")).body).to.include(gone);
      const progress = await visit.get("visit");
      expect(progress.body).to.include(reason === "deleted" ? gone : { end_reason: reason });
    });
  }

  it("expires a day after the invitation, even before the timer runs, until a new invitation", async () => {
    const { id, secret } = await harness.invite();
    harness.features.clock.advance(day);
    expect((await open(secret)).body).to.include({ status: 410, details: "Reason expired" });
    const again = await harness.call(`POST /tickets/${id}/invitations`, {
      as: harness.fixture.admin,
    });
    expect(again.status, again.text).to.equal(200);
    expect((await open(secret)).status).to.equal(200);
  });

  it("issues a room token for a new visit each time, and for the same participant", async () => {
    const { id, secret } = await harness.invite();
    const { body } = await harness.call(`POST /guest/tickets/${secret}/token`);
    const { clock } = harness.features;
    const inTwelveHours = new Date(clock.now().getTime() + 12 * 3_600_000);
    expect(harness.tokenEnds.at(-1)).to.deep.equal(inTwelveHours);
    expect(body).to.deep.equal({
      room_token: body.room_token,
      expires_in: 43_200,
      role: "requestor",
      participant: "requestor",
      visit: body.visit,
    });
    const { guest } = await harness.enter(secret);
    expect(guest).to.deep.equal({
      enterpriseId: harness.fixture.enterpriseId,
      conversationId: guest.conversationId,
      ticketId: id,
      conferenceId: null,
      role: "requestor",
      participant: "requestor",
      visit: guest.visit,
      userId: null,
      name: "Jane",
    });
    expect(guest.visit)
      .to.match(/^[0-9a-f-]{36}$/u)
      .and.not.equal(body.visit);
  });

  it("shortens the name for the room, which stores less than a first and a last name", async () => {
    const { secret } = await harness.invite({
      firstname: "Å".repeat(100),
      lastname: `${"b".repeat(26)}🙂${"b".repeat(90)}`,
    });
    const { guest } = await harness.enter(secret);
    expect(guest.name).to.equal(`${"Å".repeat(100)} ${"b".repeat(26)}`);
  });

  it("opens the due survey of a closed ticket", async () => {
    const { id, secret } = await harness.invite();
    const { guest } = await harness.enter(secret);
    const { clock } = harness.features;
    await database.db("sessions").insert({
      id: guest.visit,
      enterprise_id: guest.enterpriseId,
      conversation_id: guest.conversationId,
      started_at: clock.now(),
      ended_at: clock.now(),
      end_reason: "ended",
      finished_at: clock.now(),
      billing_seconds: 0,
    });
    await forceState(database.db, id, "closed");
    expect((await open(secret)).body).to.include({ state: "closed", is_survey_due: true });
    clock.advance(day + 1);
    expect((await open(secret)).status).to.equal(410);
  });

  describe("of the agent", () => {
    const token = (id: number, as = harness.fixture.agent) =>
      harness.call(`POST /tickets/${id}/room-token`, { as });

    it("issues a room token only to the ticket's agent", async () => {
      const { id } = await harness.invite();
      const { status, body } = await token(id);
      expect(status).to.equal(200);
      expect(body).to.include({ role: "agent", participant: `agent:${harness.fixture.agent.id}` });
      expect((await token(id, harness.fixture.admin)).body).to.include({ status: 403, code: 6 });
      const other = await aTestUser(database.db, harness.fixture.enterpriseId, "agent");
      expect((await token(id, other)).status).to.equal(403);
      const stranger = await aTicketFixture(database.db);
      expect((await token(id, stranger.agent)).status).to.equal(404);
    });

    it("shortens the name, too", async () => {
      const { id } = await harness.invite();
      const { agent } = harness.fixture;
      const nameAgent = (firstname: string, lastname: string) =>
        database.db("users").where({ id: agent.id }).update({ firstname, lastname });
      await nameAgent("A".repeat(128), "b".repeat(128));
      const { body } = await token(id);
      await nameAgent("Ada", "Agent");
      expect((await testRoomTokens.verify(body.room_token))?.name).to.equal("A".repeat(128));
    });

    it("is rejected if the room is closed", async () => {
      const { id } = await harness.invite();
      await forceState(database.db, id, "closed");
      expect((await token(id)).body).to.include({
        status: 409,
        details: "Transition closed → inprogress",
      });
    });
  });
});
