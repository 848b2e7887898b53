import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { Guest } from "../../src/http/route.ts";
import { useDatabase } from "../support/database.ts";
import { aForm, mediaEventsOf, tinyPng, useMedia } from "../support/media.ts";
import { aConferenceRow, aTicketRow, type Place } from "../support/media-rows.ts";
import { inWords, eventsAbout } from "../support/tickets.ts";

describe("files from the room", () => {
  const database = useDatabase();
  const api = useMedia(database);

  const guestOf = (
    place: Place,
    kind: "ticket" | "conference",
    more: Partial<Guest> = {},
  ): Partial<Guest> => ({
    enterpriseId: api.fixture.enterpriseId,
    conversationId: place.conversationId,
    ticketId: kind === "ticket" ? place.id : null,
    conferenceId: kind === "conference" ? place.id : null,
    role: kind === "ticket" ? "requestor" : "participant",
    name: "Jane",
    ...more,
  });

  const send = (guest: Partial<Guest>, fields: Record<string, string | number> = {}) =>
    api.call("POST /guest/medias", { guest, form: aForm({ data: tinyPng }, fields) });

  const startSession = (place: Place) =>
    database.db("sessions").insert({
      id: database.db.raw("gen_random_uuid()"),
      enterprise_id: api.fixture.enterpriseId,
      conversation_id: place.conversationId,
      started_at: new Date(),
    });

  it("belong to the token's ticket, their owner is a guest with a name", async () => {
    const place = await aTicketRow(database.db, api.fixture);
    const { status, body } = await send(guestOf(place, "ticket"));
    expect(status).to.equal(201);
    expect(body.owner).to.deep.equal({ id: 0, name: "Jane" });
    expect(body._parent).to.deep.equal({ name: "ticket", id: place.id });
    expect(body.source_type).to.equal("ticket_share");
    const file = await api.fetchFile(body.url);
    expect(Buffer.from(await file.arrayBuffer()).equals(tinyPng)).to.equal(true);
  });

  it("mark an opened ticket for attention if nobody is in the room", async () => {
    const place = await aTicketRow(database.db, api.fixture);
    await send(guestOf(place, "ticket"));
    const events = await eventsAbout(database.db, place.id);
    expect(inWords(events)).to.deep.equal(["media.pictureSent", "ticket update updated"]);
  });

  it("do not change the ticket during a session", async () => {
    const place = await aTicketRow(database.db, api.fixture);
    await startSession(place);
    await send(guestOf(place, "ticket"));
    expect(inWords(await eventsAbout(database.db, place.id))).to.deep.equal(["media.pictureSent"]);
    const [row] = await database.db("media").where({ ticket_id: place.id });
    expect(row.session_id).to.be.a("string");
    const { body } = await api.call(`GET /medias?ticketId=${place.id}`, { as: api.fixture.admin });
    expect(body.total).to.equal(1);
  });

  it("count as the agent's if the agent took the snapshot on the guest's device", async () => {
    const place = await aTicketRow(database.db, api.fixture);
    const { body } = await send(guestOf(place, "ticket"), { kind: "snapshot" });
    const [entry] = await database.db("session_events").where({ ticket_id: place.id });
    expect([entry.event_type, entry.event_code, entry.source]).to.deep.equal([
      "media.pictureTaken",
      40,
      "agent",
    ]);
    expect(entry.attributes).to.deep.equal({ mediaId: body.id });
    expect(inWords(await eventsAbout(database.db, place.id))).to.deep.equal(["media.pictureTaken"]);
  });

  it("carry the ticket's last known position on snapshots", async () => {
    const known = { geoloc_lat: 48.5, geoloc_lng: 2.5 };
    const place = await aTicketRow(database.db, api.fixture, known);
    const snapshot = await send(guestOf(place, "ticket"), { kind: "snapshot" });
    expect(snapshot.body.geoloc).to.deep.equal({ lat: 48.5, lng: 2.5 });
    const share = await send(guestOf(place, "ticket"));
    expect(share.body.geoloc).to.equal(null);
  });

  it("belong to the token's conference", async () => {
    const place = await aConferenceRow(database.db, api.fixture);
    const { body } = await send(guestOf(place, "conference"));
    expect(body._parent).to.deep.equal({ name: "conference", id: place.id });
    const as = api.fixture.agent;
    const { body: list } = await api.call(`GET /conferences/${place.id}/media`, { as });
    expect(list.data[0].owner).to.deep.equal({ id: 0, name: "Jane" });
  });

  it("are stored once if they are repeated with their id, even at the same moment", async () => {
    const place = await aTicketRow(database.db, api.fixture);
    await startSession(place);
    const operation = `POST /guest/medias?clientId=${randomUUID()}`;
    const repeat = () =>
      api.call(operation, { guest: guestOf(place, "ticket"), form: aForm({ data: tinyPng }) });
    const answers = [...(await Promise.all([repeat(), repeat(), repeat()])), await repeat()];
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201]);
    const ids = answers.map(({ body }) => body.id);
    expect(new Set(ids).size).to.equal(1);
    expect(await database.db("media").where({ ticket_id: place.id })).to.have.length(1);
    expect(inWords(await eventsAbout(database.db, place.id))).to.deep.equal(["media.pictureSent"]);
    expect(await mediaEventsOf(database.db, ids[0])).to.deep.equal([
      "create inprogress",
      "update completed",
    ]);
    await api.call(`DELETE /medias/${ids[0]}`, { as: api.fixture.admin });
    expect((await repeat()).status).to.equal(410);
  });

  it("are rejected from waiting guests and for a room that is over", async () => {
    const place = await aConferenceRow(database.db, api.fixture);
    const waiting = await send(guestOf(place, "conference", { role: "waiting" }));
    expect(waiting.status).to.equal(403);
    const ended = await aConferenceRow(database.db, api.fixture, { status: "ended" });
    expect((await send(guestOf(ended, "conference"))).status).to.equal(410);
    const closed = await aTicketRow(database.db, api.fixture, { state: "closed" });
    expect((await send(guestOf(closed, "ticket"))).status).to.equal(410);
  });
});
