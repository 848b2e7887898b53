import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import type { Problem } from "../../src/contracts/problems.ts";
import type { Guest } from "../../src/http/route.ts";
import type { BlobStore } from "../../src/platform/blobs/store.ts";
import { createRecordings } from "../../src/media/recordings.ts";
import { useDatabase } from "../support/database.ts";
import { recordedChunks, useMedia } from "../support/media.ts";
import { aConferenceRow, aTicketRow, type Place } from "../support/media-rows.ts";

const second = 1_000;
const hour = 3_600 * second;

describe("recordings", () => {
  const database = useDatabase();
  const api = useMedia(database);
  let chunks: Buffer[] = [];

  before(async () => {
    chunks = await recordedChunks();
  });

  const agentOf = (place: Place, more: Partial<Guest> = {}): Partial<Guest> => ({
    enterpriseId: api.fixture.enterpriseId,
    conversationId: place.conversationId,
    ticketId: place.id,
    role: "agent",
    userId: api.fixture.agent.id,
    name: "Ada",
    ...more,
  });

  const recorderOf = ({ id, conversationId }: Place) => ({
    enterpriseId: api.fixture.enterpriseId,
    conversationId,
    parent: { name: "ticket", id } as const,
    owner: { userId: null, name: "x" },
  });

  const start = async (type = "video/webm;codecs=vp8") => {
    const place = await aTicketRow(database.db, api.fixture);
    const guest = agentOf(place);
    const { status, body } = await api.call("POST /rtc/recordings", { guest, json: { type } });
    const put = (n: number, bytes: Buffer = chunks[n]!) =>
      api.call(`PUT /rtc/recordings/${body.id}/chunks/${n}`, { guest, bytes });
    const finalize = (count: number) =>
      api.call(`POST /rtc/recordings/${body.id}/finalize`, { guest, json: { chunks: count } });
    const read = async () =>
      (await api.call(`GET /medias/${body.id}`, { as: api.fixture.admin })).body;
    return { id: body.id as number, status, body, place, guest, put, finalize, read };
  };

  const download = async (id: number): Promise<Buffer> => {
    const { body } = await api.call(`GET /medias/${id}`, { as: api.fixture.admin });
    const response = await api.fetchFile(body.url);
    return Buffer.from(await response.arrayBuffer());
  };

  const durationOf = async (file: Buffer): Promise<number | null> => {
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
    try {
      return await input.getDurationFromMetadata();
    } finally {
      input.dispose();
    }
  };

  it("become a file with a duration and an index, for any order of the chunks", async () => {
    const { id, status, body, put, finalize, read } = await start();
    expect(status).to.equal(201);
    const type = "video/webm";
    expect(body).to.deep.equal({ id, state: "inprogress", type, chunks: 0, bytes: 0 });
    for (const n of [2, 0, 3, 1]) {
      const answer = await put(n);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal({ number: n, bytes: chunks[n]!.length });
    }
    const raw = Buffer.concat(chunks);
    expect(await durationOf(raw)).to.equal(null);
    const ended = await finalize(4);
    expect(ended.status).to.equal(202);
    expect(ended.body).to.deep.equal({ ...body, chunks: 4, bytes: raw.length });
    expect(await api.runTask("media.remux", id)).to.deep.equal({ kind: "done" });
    const media = await read();
    expect([media.status, media.media_type, media.source_type]).to.deep.equal([
      "completed",
      "video",
      "ticket_record",
    ]);
    expect(media.owner).to.deep.equal({ id: api.fixture.agent.id, name: "Ada Agent" });
    const file = await download(id);
    expect(file.length).to.equal(media.filesize);
    expect(await durationOf(file)).to.be.within(1.5, 3);
    expect(file.includes(Buffer.from("1c53bb6b", "hex")), "the index").to.equal(true);
    expect(raw.includes(Buffer.from("1c53bb6b", "hex"))).to.equal(false);
    expect(await api.events(id)).to.deep.equal(["create inprogress", "update completed"]);
  });

  it("accept the same chunk again, but not other bytes with its number", async () => {
    const { put, finalize, id } = await start();
    expect((await put(0)).status).to.equal(200);
    expect((await put(0)).status).to.equal(200);
    const other = await put(0, chunks[1]);
    expect([other.status, other.body.details]).to.deep.equal([409, "Chunk 0"]);
    const [one, two] = await Promise.all([put(1), put(1)]);
    expect([one.status, two.status]).to.deep.equal([200, 200]);
    expect((await finalize(2)).status).to.equal(202);
    expect((await finalize(2)).status).to.equal(202);
    expect((await put(0)).status, "a late repeat").to.equal(200);
    expect((await put(2)).status, "after the end").to.equal(409);
    await api.runTask("media.remux", id);
    expect((await put(1)).status).to.equal(200);
  });

  it("do not end before every chunk arrived, and name missing ones", async () => {
    const { put, finalize } = await start();
    await put(1);
    await put(3);
    const { status, body } = await finalize(5);
    expect(status).to.equal(409);
    expect(body.details).to.equal("Missing 0, 2, 4");
    expect(body.errors[0]).to.deep.equal({ field: "chunks/0", reason: "missing" });
    await put(0);
    await put(2);
    expect((await finalize(3)).status, "fewer than came").to.equal(409);
    expect((await finalize(4)).status).to.equal(202);
  });

  it("are uncompleted and playable after a minute without chunks, and can be resumed within a day", async () => {
    const { id, put, finalize, read } = await start();
    await put(0);
    await put(1);
    api.clock.advance(30 * second);
    await put(3);
    api.clock.advance(40 * second);
    const early = await api.runTask("recording.silent", id);
    expect(early?.kind).to.equal("again");
    await api.reopenTasks(id);
    api.clock.advance(20 * second);
    expect(await api.runTask("recording.silent", id)).to.deep.equal({ kind: "done" });
    expect((await read()).status).to.equal("uncompleted");
    await api.runTask("media.remux", id);
    const part = await download(id);
    expect(await durationOf(part)).to.be.greaterThan(0);

    api.clock.advance(23 * hour);
    await put(2);
    expect((await read()).status).to.equal("inprogress");
    await finalize(4);
    await api.runTask("media.remux", id);
    expect((await read()).status).to.equal("completed");
    const whole = await download(id);
    expect(await durationOf(whole)).to.be.greaterThan((await durationOf(part))!);
    expect(await api.events(id)).to.deep.equal([
      "create inprogress",
      "update uncompleted",
      "update inprogress",
      "update completed",
    ]);
  });

  it("stay uncompleted when they are not resumed within a day, and accept no more chunks", async () => {
    const { id, put, read } = await start();
    await put(0);
    await put(1);
    api.clock.advance(61 * second);
    await api.runTask("recording.silent", id);
    await api.runTask("media.remux", id);
    api.clock.advance(25 * hour);
    expect(await api.runTask("recording.giveUp", id)).to.deep.equal({ kind: "done" });
    expect((await read()).status).to.equal("uncompleted");
    expect((await download(id)).length).to.be.greaterThan(0);
    expect((await put(2)).status).to.equal(409);
    expect(await api.events(id)).to.deep.equal(["create inprogress", "update uncompleted"]);
  });

  it("become an error without any chunk", async () => {
    const { id, read } = await start();
    api.clock.advance(61 * second);
    await api.runTask("recording.silent", id);
    api.clock.advance(25 * hour);
    await api.runTask("recording.giveUp", id);
    expect((await read()).status).to.equal("error");
    expect(await api.events(id)).to.deep.equal([
      "create inprogress",
      "update uncompleted",
      "update error",
    ]);
  });

  it("become an error if the bytes are not a video", async () => {
    const { id, put, finalize, read } = await start();
    await put(0, randomBytes(2_000));
    await finalize(1);
    expect(await api.runTask("media.remux", id)).to.deep.equal({ kind: "done" });
    expect((await read()).status).to.equal("error");
  });

  it("leave no chunks behind", async () => {
    const { id, put, finalize } = await start();
    for (const n of [0, 1, 2, 3]) {
      await put(n);
    }
    await finalize(4);
    await api.runTask("media.remux", id);
    const rows = () => database.db("recording_chunks").where({ media_id: id });
    const [chunk] = await rows();
    const [{ hash }] = await database.db("media").where({ id });
    const key = `recordings/${hash}/0-${chunk.sha256.toString("hex").slice(0, 32)}`;
    expect(await api.blobs.size(key)).to.equal(chunks[0]!.length);
    await api.feature.cleanup.removeChunks();
    expect(await rows()).to.deep.equal([]);
    expect(await api.blobs.size(key)).to.equal(undefined);
    expect((await download(id)).length).to.be.greaterThan(0);
  });

  it("count a chunk only when its bytes are stored, and accept it again until then", async () => {
    const { id, put, finalize, place } = await start();
    await put(0);
    const blobs: BlobStore = {
      ...api.deps.blobs,
      put: async () => {
        throw new Error("the store is full");
      },
    };
    const recorder = recorderOf(place);
    const failed = await createRecordings({ ...api.deps, blobs })
      .putChunk(recorder, id, { number: 1, data: chunks[1]! })
      .catch((thrown: Problem) => [thrown.kind, (thrown.cause as Error).message]);
    expect(failed).to.deep.equal(["dependency_down", "the store is full"]);
    expect((await finalize(2)).body.details).to.equal("Missing 1");
    expect((await put(1)).status).to.equal(200);
    expect((await finalize(2)).body.bytes).to.equal(chunks[0]!.length + chunks[1]!.length);
  });

  it("belong to the token's conversation, and require a role that may record", async () => {
    const { id, place } = await start();
    const other = agentOf(await aTicketRow(database.db, api.fixture));
    const bytes = chunks[0]!;
    const path = `PUT /rtc/recordings/${id}/chunks/0`;
    expect((await api.call(path, { guest: other, bytes })).status).to.equal(404);
    const customer = agentOf(place, { role: "requestor", userId: null });
    expect((await api.call(path, { guest: customer, bytes })).status).to.equal(403);
    const conference = await aConferenceRow(database.db, api.fixture);
    const organizer: Partial<Guest> = {
      ...agentOf(conference, { role: "organizer" }),
      ticketId: null,
      conferenceId: conference.id,
    };
    const json = { type: "video/webm" };
    const { status, body } = await api.call("POST /rtc/recordings", { guest: organizer, json });
    expect(status).to.equal(201);
    const { body: media } = await api.call(`GET /medias/${body.id}`, { as: api.fixture.admin });
    expect(media.source_type).to.equal("conf_record");
  });

  it("reject other types, empty chunks and invalid numbers", async () => {
    const { guest, id, put } = await start();
    const json = { type: "text/html" };
    const type = await api.call("POST /rtc/recordings", { guest, json });
    expect([type.status, type.body.details]).to.deep.equal([400, "Parameter type"]);
    const empty = await put(0, Buffer.alloc(0));
    expect(empty.status).to.equal(400);
    const path = `PUT /rtc/recordings/${id}/chunks/-1`;
    expect((await api.call(path, { guest, bytes: chunks[0]! })).status).to.equal(400);
  });

  it("end at their limits of size and time, without silence", async () => {
    const { id, place } = await start();
    const rules = { maxBytes: 2_500, maxMs: 2 * 60_000 };
    const recordings = createRecordings(api.deps, rules);
    const recorder = recorderOf(place);
    const put = async (number: number) =>
      recordings.putChunk(recorder, id, { number, data: Buffer.alloc(600, number) }).then(
        () => "taken",
        (thrown: { kind?: string }) => thrown.kind,
      );
    expect(await put(0)).to.equal("taken");
    api.clock.advance(5 * hour);
    expect(await put(1), "after a long silence").to.equal("taken");
    api.clock.advance(59 * second);
    expect(await put(2)).to.equal("taken");
    api.clock.advance(59 * second);
    expect(await put(3), "two minutes of recording").to.equal("too_large");
    const next = await start();
    const other = { ...recorder, conversationId: next.place.conversationId };
    const bytes = async (number: number) =>
      recordings.putChunk(other, next.id, { number, data: Buffer.alloc(1_000, number) }).then(
        () => "taken",
        (thrown: { kind?: string }) => thrown.kind,
      );
    expect(await bytes(0)).to.equal("taken");
    expect(await bytes(1)).to.equal("taken");
    expect(await bytes(2), "more bytes than may be").to.equal("too_large");
  });
});
