import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { agreed, useGuests } from "../support/guests.ts";

const jane = { email: "jane@example.com", phone: "", firstname: "Jane", lastname: "" };

describe("the answers of a customer", () => {
  const database = useDatabase();
  const harness = useGuests(database);

  const visit = async (more: Record<string, unknown> = {}) => {
    const { id, secret } = await harness.invite(more);
    return { id, secret, ...(await harness.enter(secret)) };
  };

  it("write one timeline entry each, in order, with exactly the documented attributes", async () => {
    const { id, post } = await visit();
    await post("click");
    await post("consent", agreed);
    const asked = await harness.call(`POST /tickets/${id}/position-requests`, {
      as: harness.fixture.agent,
    });
    await post(`position-requests/${asked.body.id}/answer`, {
      geoloc: { lng: -3.36, lat: 48.65 },
    });
    await post("devices", { camera: true, microphone: true });
    await post("accept");
    const entries = await harness.eventsSince(id);
    const conversationId = entries[0]?.props["conversationId"];
    const common = { ticketId: id, conversationId };
    expect(entries.map(({ event, object, props }) => ({ event, object, props }))).to.deep.equal(
      [
        { eventType: "ticket.invitationClicked", eventCode: 14, ...common, requestor: jane },
        { eventType: "consent.accepted", eventCode: 20, ...common },
        {
          eventType: "geo.ansAllowed",
          eventCode: 21,
          ...common,
          geoloc: { lat: 48.65, lng: -3.36 },
        },
        { state: "invited", geoloc: { lat: 48.65, lng: -3.36 } },
        { eventType: "mediaDevice.allowed", eventCode: 23, ...common, requestor: jane },
        { eventType: "mediaDevice.cameraAllowed", eventCode: 25, ...common, requestor: jane },
        { eventType: "mediaDevice.micAllowed", eventCode: 27, ...common, requestor: jane },
        { eventType: "ticket.invitationAccepted", eventCode: 12, ...common, requestor: jane },
      ].map((props) => ({
        event: "state" in props ? "update" : "create",
        object: "state" in props ? "ticket" : "conversationevent",
        props,
      })),
    );
    const { body } = await harness.call(`GET /tickets/${id}/events?source=guest`, {
      as: harness.fixture.agent,
    });
    expect(body).to.have.length(7);
  });

  it("change nothing when repeated, by the same visit or concurrently", async () => {
    const { id, post } = await visit();
    const asked = await harness.call(`POST /tickets/${id}/position-requests`, {
      as: harness.fixture.agent,
    });
    const steps: [string, unknown][] = [
      ["click", {}],
      ["consent", agreed],
      [`position-requests/${asked.body.id}/answer`, { geoloc: { lat: 1, lng: 2 } }],
      ["devices", { camera: true, microphone: false }],
      ["accept", {}],
    ];
    for (const [path, json] of steps) {
      const answers = await Promise.all([1, 2, 3].map(() => post(path, json)));
      answers.push(await post(path, json));
      const [first] = answers;
      expect(first?.status, first?.text).to.be.below(300);
      for (const { status, text } of answers) {
        expect({ status, text }).to.deep.equal({ status: first?.status, text: first?.text });
      }
    }
    expect(await harness.eventNamesSince(id)).to.deep.equal([
      "ticket.invitationClicked",
      "consent.accepted",
      "geo.ansAllowed",
      "ticket update invited",
      "mediaDevice.cameraAllowed",
      "mediaDevice.micDisallowed",
      "ticket.invitationAccepted",
    ]);
  });

  for (const [camera, microphone, words] of [
    [true, true, ["allowed", "cameraAllowed", "micAllowed"]],
    [true, false, ["cameraAllowed", "micDisallowed"]],
    [false, true, ["cameraDisallowed", "micAllowed"]],
    [false, false, ["disallowed", "cameraDisallowed", "micDisallowed"]],
  ] as const) {
    it(`write ${words.join(", ")} for camera ${camera} and microphone ${microphone}`, async () => {
      const { id, post } = await visit();
      await post("consent", agreed);
      await post("devices", { camera, microphone });
      expect(await harness.eventNamesSince(id)).to.deep.equal([
        "consent.accepted",
        ...words.map((word) => `mediaDevice.${word}`),
      ]);
    });
  }

  it("on devices can be changed: only a different answer writes entries", async () => {
    const { id, post } = await visit();
    await post("consent", agreed);
    await post("devices", { camera: false, microphone: false });
    const before = (await harness.eventNamesSince(id)).length;
    await post("devices", { camera: false, microphone: false });
    expect((await harness.eventNamesSince(id)).length).to.equal(before);
    await post("devices", { camera: true, microphone: true });
    const words = await harness.eventNamesSince(id);
    expect(words.slice(-3).join()).to.include("mediaDevice.cameraAllowed");
    expect(words).to.have.length.greaterThan(before);
  });

  it("are accepted in order: first consent, then devices, then entry", async () => {
    const { id, post } = await visit();
    const asked = await harness.call(`POST /tickets/${id}/position-requests`, {
      as: harness.fixture.agent,
    });
    const early = [
      await post("accept"),
      await post("devices", { camera: true, microphone: true }),
      await post(`position-requests/${asked.body.id}/answer`, { geoloc: null }),
    ];
    expect(early.map(({ status }) => status)).to.deep.equal([409, 409, 409]);
    await post("consent", agreed);
    expect((await post("accept")).status).to.equal(409);
    expect(await harness.eventNamesSince(id)).to.deep.equal(["consent.accepted"]);
  });

  it("count again in another visit", async () => {
    const { id, secret, post } = await visit();
    await post("consent", agreed);
    const second = await harness.enter(secret);
    expect((await second.post("devices", { camera: true, microphone: true })).status).to.equal(409);
    await second.post("consent", agreed);
    expect(await harness.eventNamesSince(id)).to.deep.equal([
      "consent.accepted",
      "consent.accepted",
    ]);
  });

  describe("consent", () => {
    it("is stored with text, language, time, network and browser", async () => {
      const { id, guest, post } = await visit();
      const { status, text } = await post("consent", { ...agreed, hasRecordingNotice: true });
      expect(status).to.equal(200);
      expect(text).to.equal('{"position_request":null}');
      const { id: _id, ...row } = (await harness.rowOf("consents", id)) ?? {};
      expect(row).to.deep.equal({
        enterprise_id: guest.enterpriseId,
        ticket_id: id,
        visit: guest.visit,
        text_version: "2026-11",
        language: "fr",
        has_recording_notice: true,
        network: "127.0.0.0/24",
        user_agent: "node",
        created_at: harness.features.clock.now(),
      });
      const [ticket] = await database.db("tickets").where({ id }).select("user_agent");
      expect(ticket?.user_agent).to.equal("node");
    });

    for (const [what, body] of [
      ["the terms are not accepted", { ...agreed, terms: false }],
      ["the privacy flag is missing", { ...agreed, privacy: undefined }],
      ["the text has no version", { ...agreed, textVersion: "" }],
      ["the version of the text is too long", { ...agreed, textVersion: "x".repeat(65) }],
      ["it has an unknown field", { ...agreed, more: 1 }],
    ] as const) {
      it(`is rejected if ${what}`, async () => {
        const { id, post } = await visit();
        expect((await post("consent", body)).status).to.equal(400);
        expect(await harness.rowOf("consents", id)).to.equal(undefined);
        expect(await harness.eventNamesSince(id)).to.deep.equal([]);
      });
    }

    it("requests the position at once if the service is configured so", async () => {
      const { id, post, get } = await visit();
      const { enterpriseId } = harness.fixture;
      const services = () => database.db("services").where({ enterprise_id: enterpriseId });
      await services().update({ asks_position: true });
      const { body } = await post("consent", agreed);
      await services().update({ asks_position: false });
      expect(body.position_request).to.have.all.keys("id", "created");
      expect((await post("consent", agreed)).body).to.deep.equal(body);
      expect((await get("visit")).body.position_request).to.deep.equal(body.position_request);
      await post(`position-requests/${body.position_request.id}/answer`, { geoloc: null });
      expect(await harness.eventNamesSince(id)).to.deep.equal([
        "consent.accepted",
        "geo.ansDisallowed",
      ]);
    });

    it("is valid for one session: afterwards, another visit must consent again", async () => {
      const { id, secret, guest, post, get } = await visit();
      await post("consent", agreed);
      harness.features.clock.advance(60_000);
      const at = harness.features.clock.now();
      await database.db("sessions").insert({
        id: guest.visit,
        enterprise_id: guest.enterpriseId,
        conversation_id: guest.conversationId,
        started_at: at,
        ended_at: at,
        end_reason: "empty",
        finished_at: at,
        billing_seconds: 0,
      });
      expect((await get("visit")).body.has_consent).to.equal(false);
      expect((await post("devices", { camera: true, microphone: true })).status).to.equal(409);
      expect((await post("consent", agreed)).status).to.equal(409);
      const { post: postAgain } = await harness.enter(secret);
      expect((await postAgain("consent", agreed)).status).to.equal(200);
      expect(await harness.eventNamesSince(id)).to.deep.equal([
        "consent.accepted",
        "consent.accepted",
      ]);
    });
  });

  it("record each invitation's first click only", async () => {
    const { id, post } = await visit({ phone: "+33612345678" });
    const invitations = await database
      .db("invitations")
      .where({ ticket_id: id })
      .orderBy("id")
      .select("id");
    for (const { id: invitation } of [...invitations, ...invitations]) {
      expect((await post("click", { invitation })).status).to.equal(204);
    }
    expect((await post("click", { invitation: 999_999 })).status).to.equal(204);
    expect((await harness.eventNamesSince(id)).slice(1)).to.deep.equal([
      "ticket.invitationClicked",
      "ticket.invitationClicked",
    ]);
  });

  it("are accepted from customers only, and until the ticket is over", async () => {
    const { id, post } = await visit();
    const { body } = await harness.call(`POST /tickets/${id}/room-token`, {
      as: harness.fixture.agent,
    });
    const asAgent = await harness.call("POST /guest/consent", {
      token: body.room_token,
      json: agreed,
    });
    expect(asAgent.status).to.equal(403);
    expect((await harness.call("POST /guest/consent", { json: agreed })).status).to.equal(401);
    await harness.call(`DELETE /tickets/${id}`, { as: harness.fixture.admin });
    expect((await post("consent", agreed)).status).to.equal(410);
  });

  it("are shown as the progress of the visit", async () => {
    const { post, get } = await visit();
    const steps = async () => {
      const { body } = await get("visit");
      return [body.has_consent, body.has_devices, body.is_accepted];
    };
    expect((await get("visit")).body).to.deep.equal({
      state: "invited",
      has_consent: false,
      has_devices: false,
      is_accepted: false,
      position_request: null,
      is_survey_due: false,
      end_reason: null,
    });
    await post("consent", agreed);
    expect(await steps()).to.deep.equal([true, false, false]);
    await post("devices", { camera: false, microphone: true });
    expect(await steps()).to.deep.equal([true, true, false]);
    await post("accept");
    expect(await steps()).to.deep.equal([true, true, true]);
  });
});
