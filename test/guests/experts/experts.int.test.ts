import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { useExpertCalls } from "../../support/expert-calls.ts";
import { aRunningSession } from "../../support/tenant-objects.ts";
import { anAgreedRoom } from "../../support/tenant-rooms.ts";
import { tinyPng } from "../../support/media.ts";
import { aMessage, connectGuest, enterRoom, hear, joinCall } from "../../support/signalling.ts";

describe("an expert in the call of a ticket", () => {
  const { fixture, database, call, aCall, secretIn, enter, aCallWithExpert } = useExpertCalls();

  it("gets a link by email, enters with it, and takes part as a third person", async () => {
    const { agent, customer, invite, ticketId, guest } = await aCall();
    const { status, body: invited } = await invite({
      email: "vera@example.com",
      phone: "+33612345678",
    });
    expect(status, JSON.stringify(invited)).to.equal(201);
    expect(invited).to.include({ name: null, participant: `expert-${invited.id}` });
    expect(invited.channels).to.deep.equal(["email", "sms"]);
    const sent = await database.db("messages").where({ ticket_id: ticketId }).orderBy("id");
    expect(sent.map(({ recipient }) => recipient)).to.deep.equal([
      ...["vera@example.com", "+33612345678"],
    ]);
    sent.forEach(({ text }) => expect(text).to.contain(invited.link));
    expect((await enter(invited.link)).status, "without a name").to.equal(400);
    const { body } = await enter(invited.link, { name: "Vera Klein" });
    expect(body).to.include({ role: "expert", participant: invited.participant });
    const again = await enter(invited.link, { name: "Somebody Else" });
    expect(again.body.participant, "one link, one person").to.equal(invited.participant);
    const expert = await joinCall(fixture.at(1), body.room_token);
    expect(expert.joined.ok, JSON.stringify(expert.joined)).to.equal(true);
    const people = expert.joined.peers.map(({ role }: { role: string }) => role);
    expect(people).to.have.members(["agent", "requestor"]);
    for (const side of [agent, customer]) {
      const seen = await hear<{ role: string; name: string; isInCall: boolean }>(
        side,
        "peer-changed",
        ({ role, isInCall }) => role === "expert" && isInCall,
      );
      expect(seen.name).to.equal("Vera Klein");
    }
    const second = await joinCall(fixture.node, again.body.room_token);
    expect(second.self.name, "the name of the first entry").to.equal("Vera Klein");
    expect(await hear(expert, "left")).to.deep.equal({ reason: "elsewhere" });
    const participations = await database
      .db("participations")
      .join("sessions", "sessions.id", "participations.session_id")
      .where({ conversation_id: guest.conversationId });
    expect(participations.map(({ role }) => role)).to.have.members([
      "agent",
      "requestor",
      "expert",
    ]);
  });

  it("writes, points and sends files, but has no permission of the agent", async () => {
    const { customer, agent, expert, token, ticketId } = await aCallWithExpert();
    expect((await expert.ask("chat", aMessage("The red cable"))).ok).to.equal(true);
    await hear(customer, "chat", ({ text }: { text: string }) => text === "The red cable");
    const point = { x: 0.5, y: 0.25 };
    expect((await expert.ask("pointer", { point })).ok).to.equal(true);
    expect(await hear(customer, "pointer")).to.deep.equal({ from: expert.self.id, point });
    const upload = (kind: string) => {
      const form = new FormData();
      form.set("kind", kind);
      form.set("file", new Blob([new Uint8Array(tinyPng)], { type: "image/png" }), "plan.png");
      return call("POST /api/guest/medias", token, form);
    };
    const shared = await upload("share");
    expect(shared.status, JSON.stringify(shared.body)).to.equal(201);
    expect((await expert.ask("shared", { mediaId: shared.body.id })).ok).to.equal(true);
    await hear(agent, "shared", ({ mediaId }: { mediaId: number }) => mediaId === shared.body.id);
    expect((await upload("snapshot")).status).to.equal(403);
    const sent = database.db("session_events").where({ event_type: "media.pictureSent" });
    expect(await sent.where({ ticket_id: ticketId }), "no entry of the ticket").to.deep.equal([]);

    const command = (to: string, name: string) => ({ to, id: randomUUID(), command: { name } });
    const forged: [type: string, input: object][] = [
      ["command", command(customer.self.id, "snapshot")],
      ["command", command(customer.self.id, "mute")],
      ["command", command(agent.self.id, "mute")],
      ["record", { step: "ask" }],
      ["end", {}],
      ["board", { op: "clear" }],
      ["remove", { participant: "requestor" }],
      ["remove", { participant: agent.self.participant }],
      ["waiting", {}],
      ["lock", { isLocked: true }],
    ];
    for (const [type, input] of forged) {
      const { error } = await expert.ask(type, input);
      expect(error?.kind, `${type} ${JSON.stringify(input)}`).to.equal("forbidden");
    }
    expect(customer.of("command")).to.deep.equal([]);
    await expert.ask("state", { isRecording: true, isMicOn: true });
    const state = await hear<{ state: { isRecording: boolean; isMicOn: boolean } }>(
      customer,
      "peer-changed",
      ({ state: { isMicOn } }) => isMicOn,
    );
    expect(state.state.isRecording).to.equal(false);
    for (const [operation, body] of [
      ["POST /api/rtc/recordings", { type: "video/webm" }],
      ["GET /api/guest/visit", undefined],
      ["POST /api/guest/decline", undefined],
    ] as const) {
      expect((await call(operation, token, body)).status, operation).to.equal(403);
    }
    for (const path of ["", "/experts", "/events", "/medias"]) {
      const { status } = await call(`GET /api/tickets/${ticketId}${path}`, token);
      expect(status, `no token of the API: ${path}`).to.equal(401);
    }
    const more = await call(`POST /api/tickets/${ticketId}/experts`, token, {
      email: "a@b.example",
    });
    expect(more.status).to.equal(401);
  });

  it("reads the messages and files of this call, and no older ones", async () => {
    const room = await anAgreedRoom(database.db, fixture.tenant);
    const { guest } = room;
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(tinyPng)], { type: "image/png" }), "old.png");
    const old = await call("POST /api/guest/medias", room.customer, form);
    expect(old.status).to.equal(201);
    const before = await call("POST /api/guest/messages", room.customer, {
      text: "My card number",
    });
    expect(before.status).to.equal(201);
    const agent = await joinCall(fixture.node, room.agent);
    await joinCall(fixture.node, room.customer);
    await agent.ask("chat", aMessage("Good morning"));
    const { token: staff } = fixture.tenant.members.agent;
    const { body: invited } = await call(`POST /api/tickets/${guest.ticketId}/experts`, staff, {
      email: "vera@example.com",
      name: "Vera",
    });
    const { body } = await enter(invited.link);
    const client = await connectGuest(fixture.node, body.room_token);
    const hello = await client.ask("hello");
    expect(hello.messages.map(({ text }: { text: string }) => text)).to.deep.equal([
      "Good morning",
    ]);
    const listed = await call("GET /api/guest/messages", body.room_token);
    expect(listed.body.total).to.equal(1);
    const media = await call(`GET /api/guest/medias/${old.body.id}`, body.room_token);
    expect(media.status).to.equal(404);
    expect((await call(`GET /api/guest/medias/${old.body.id}`, room.agent)).status).to.equal(200);
  });

  it("is removed from the call by the agent, and token and link become invalid", async () => {
    const { agent, customer, expert, token, link, invite, staff, ticketId } =
      await aCallWithExpert();
    const { participant } = expert.self;
    const refused = await customer.ask("remove", { participant });
    expect(refused.error.kind).to.equal("forbidden");
    const spared = await agent.ask("remove", { participant: "requestor" });
    expect(spared.error.kind).to.equal("not_found");
    expect((await agent.ask("remove", { participant })).ok).to.equal(true);
    const rows = await database.db("room_peers").where({ participant, is_in_call: true });
    expect(rows, "counts for nobody from now on").to.deep.equal([]);
    expect(await hear(expert, "left")).to.deep.equal({ reason: "removed" });
    expect(await hear(expert, "over")).to.deep.equal({ reason: "removed" });
    expect((await call("GET /api/guest/messages", token)).status).to.equal(401);
    const back = await connectGuest(fixture.node, token).catch((error: Error) => error.message);
    expect(back).to.equal("bad_token");
    expect((await enter(link)).body).to.include({ status: 410, details: "Reason removed" });
    const listed = await call(`GET /api/tickets/${ticketId}/experts`, staff);
    expect(listed.body).to.deep.equal({ total: 0, data: [] });

    const { body: pending } = await invite({ email: "max@example.com", name: "Max" });
    expect((await agent.ask("remove", { participant: pending.participant })).ok).to.equal(true);
    expect((await enter(pending.link)).status, "removed before the first entry").to.equal(410);
  });

  it("loses the link and the call when the ticket is closed or the call ends", async () => {
    const { agent, expert, token, link, staff, ticketId } = await aCallWithExpert();
    const listed = async () =>
      (await call(`GET /api/tickets/${ticketId}/experts`, staff)).body.total;
    expect((await agent.ask("end")).ok).to.equal(true);
    expect(await hear(expert, "left")).to.deep.equal({ reason: "ended" });
    expect(await hear(expert, "over")).to.deep.equal({ reason: "token" });
    expect((await call("GET /api/guest/messages", token)).status).to.equal(401);
    expect((await enter(link)).status, "nobody is in the call").to.equal(409);
    expect(await listed()).to.equal(1);
    const { token: admin } = fixture.tenant.members.admin;
    expect((await call(`POST /api/tickets/${ticketId}/close`, admin)).status).to.equal(200);
    expect(await listed()).to.equal(0);
    expect((await enter(link)).body).to.include({ status: 410, details: "Reason closed" });
    expect((await call(`GET /x/${secretIn(link)}`)).status).to.equal(410);
    const unknown = `GET /x/${"0".repeat(22)}`;
    expect((await call(unknown)).status).to.equal(404);
  });

  it("has a token for the session of the invitation only", async () => {
    const { agent, customer, token, link, guest } = await aCallWithExpert();
    await agent.ask("end");
    await eventually(() => customer.of("left").length > 0);
    await aRunningSession(database.db, guest);
    expect((await call("GET /api/guest/messages", token)).status).to.equal(401);
    const back = await connectGuest(fixture.node, token).catch((error: Error) => error.message);
    expect(back).to.equal("bad_token");
    const { status, body } = await enter(link);
    expect(status, "the link is still valid").to.equal(200);
    expect((await call("GET /api/guest/messages", body.room_token)).status).to.equal(200);
  });

  it("has to consent before the call is recorded", async () => {
    const { agent, customer, expert, staff, ticketId } = await aCallWithExpert();
    const { body } = await call(`POST /api/tickets/${ticketId}/room-token`, staff);
    const start = () => call("POST /api/rtc/recordings", body.room_token, { type: "video/webm" });
    await agent.ask("record", { step: "ask" });
    expect(await hear(expert, "record")).to.include({ step: "ask" });
    await customer.ask("record", { step: "answer", isAccepted: true });
    expect((await start()).status, "without the expert").to.equal(409);
    await expert.ask("record", { step: "answer", isAccepted: true });
    expect((await start()).status).to.equal(201);
  });

  it("cannot reach the call of another ticket, nor keep or start one", async () => {
    const [own, other] = [await aCallWithExpert(), await aCallWithExpert()];
    const to = other.customer.self.id;
    const signal = { to, candidate: null };
    expect((await own.expert.ask("signal", signal)).error.kind).to.equal("not_found");
    const { participant } = other.expert.self;
    expect((await own.agent.ask("remove", { participant })).ok, "of no effect there").to.equal(
      true,
    );
    expect((await enter(other.link)).status).to.equal(200);
    expect(other.expert.of("left")).to.deep.equal([]);
    await own.agent.ask("end");
    await eventually(() => !own.expert.socket.connected);
    const late = await enterRoom(fixture.node, own.token).catch((error: Error) => error.message);
    expect(late).to.equal("bad_token");
  });

  it("is counted in the session, and not written to the timeline of the ticket", async () => {
    const { agent, expert, ticketId, guest } = await aCallWithExpert();
    await expert.ask("leave");
    await agent.ask("end");
    const session = await eventually(async () => {
      const [ended] = await database
        .db("sessions")
        .where({ conversation_id: guest.conversationId })
        .whereNotNull("ended_at");
      expect(ended).not.to.equal(undefined);
      return ended;
    });
    expect(Number(session.participant_count)).to.equal(3);
    const entries = await database.db("session_events").where({ ticket_id: ticketId });
    const left = entries.map(({ event_type: type }) => type).filter((type) => /left/iu.test(type));
    expect(left).to.have.members(["session.agentLeft", "session.userLeft"]);
  });
});
