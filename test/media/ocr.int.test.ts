import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { readFixture, tinyPng, useMedia } from "../support/media.ts";
import { aConferenceRow, aTicketRow } from "../support/media-rows.ts";
import { eventsAbout } from "../support/tickets.ts";

const text = "Meter 48213\nSerial AB 7790";

describe("reading the text in a picture", function () {
  this.timeout(40_000);
  const database = useDatabase();
  const api = useMedia(database);
  let photo: Buffer;

  before(async () => {
    photo = await readFixture("text.png");
  });

  const aPhoto = async (data: Buffer = photo) => {
    const place = await aTicketRow(database.db, api.fixture);
    const { body } = await api.upload({ data }, { ticketId: place.id });
    const { id: ticketId, conversationId } = place;
    return { id: body.id as number, ticketId, conversationId };
  };

  const order = (id: number, json?: unknown) =>
    api.call(`POST /medias/${id}/ocr`, {
      as: api.fixture.agent,
      ...(json === undefined ? {} : { json }),
    });

  const readings = async (ticketId: number) =>
    (await eventsAbout(database.db, ticketId)).filter(
      ({ props }) => props["eventType"] === "media.OCRDone",
    );

  it("emits one event with code 41 and the text, including line breaks", async () => {
    const { id, ticketId, conversationId } = await aPhoto();
    expect((await order(id)).status).to.equal(202);
    expect(await api.runTask("media.ocr", id)).to.deep.equal({ kind: "done" });
    const [events, ...more] = await readings(ticketId);
    expect(more).to.deep.equal([]);
    expect(events!.props).to.deep.equal({
      eventType: "media.OCRDone",
      eventCode: 41,
      ticketId,
      conversationId,
      text,
    });
    const [entry] = await database
      .db("session_events")
      .where({ ticket_id: ticketId, event_code: 41 });
    expect(entry.source).to.equal("system");
  });

  it("reads only the given rectangle", async () => {
    const { id, ticketId } = await aPhoto();
    await order(id, { left: 20, top: 25, width: 240, height: 47 });
    await api.runTask("media.ocr", id);
    expect((await readings(ticketId)).map(({ props }) => props["text"])).to.deep.equal([
      "Meter 48213",
    ]);
  });

  it("emits the text once if the task runs twice", async () => {
    const { id, ticketId } = await aPhoto();
    await order(id);
    await api.runTask("media.ocr", id);
    await api.reopenTasks(id);
    await api.runTask("media.ocr", id);
    expect(await readings(ticketId)).to.have.length(1);
  });

  it("emits nothing if there is no text", async () => {
    const { id, ticketId } = await aPhoto(tinyPng);
    await order(id);
    await api.runTask("media.ocr", id);
    expect(await readings(ticketId)).to.deep.equal([]);
  });

  it("emits nothing for a picture that has been deleted", async () => {
    const { id, ticketId } = await aPhoto();
    await order(id);
    await api.call(`DELETE /medias/${id}`, { as: api.fixture.admin });
    expect(await api.runTask("media.ocr", id)).to.deep.equal({ kind: "done" });
    expect(await readings(ticketId)).to.deep.equal([]);
  });

  it("requires a completed picture of a ticket", async () => {
    const { id: conferenceId } = await aConferenceRow(database.db, api.fixture);
    const inConference = await api.aPicture({ conferenceId });
    expect((await order(inConference)).status).to.equal(409);
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const file = { data: Buffer.from("some text"), name: "a.txt", type: "text/plain" };
    const { body } = await api.upload(file, { ticketId });
    expect((await order(body.id)).status).to.equal(415);
    const { id } = await aPhoto();
    await database.db("media").where({ id }).update({ state: "error" });
    expect((await order(id)).status).to.equal(409);
    const half = await order((await aPhoto()).id, { left: 1 });
    expect([half.status, half.body.details]).to.deep.equal([400, "Parameter top"]);
    const rectangle = { left: 0, top: 0, width: 0, height: 1 };
    const answer = await order((await aPhoto()).id, rectangle);
    expect([answer.status, answer.body.details]).to.deep.equal([400, "Parameter width"]);
  });
});
