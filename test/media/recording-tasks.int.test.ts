import { expect } from "chai";
import { childrenRunning } from "../support/child-processes.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { endlessRecording, recordedChunks, useMedia } from "../support/media.ts";
import { aTicketRow } from "../support/media-rows.ts";

describe("building a recording's file", function () {
  this.timeout(120_000);
  const database = useDatabase();
  const api = useMedia(database);

  /** A recording with these chunks, by number, whose recorder is gone. Returns its id. */
  const aSilentRecording = async (chunks: readonly [number, Buffer][]): Promise<number> => {
    const place = await aTicketRow(database.db, api.fixture);
    const guest = {
      enterpriseId: api.fixture.enterpriseId,
      conversationId: place.conversationId,
      ticketId: place.id,
      role: "agent",
      userId: api.fixture.agent.id,
    } as const;
    const json = { type: "video/webm" };
    const { id } = (await api.call("POST /rtc/recordings", { guest, json })).body;
    for (const [n, bytes] of chunks) {
      await api.call(`PUT /rtc/recordings/${id}/chunks/${n}`, { guest, bytes });
    }
    api.clock.advance(61_000);
    await api.runTask("recording.silent", id);
    return id;
  };

  it("leaves none if the recording is deleted while it is stored", async () => {
    const chunks = await recordedChunks();
    const id = await aSilentRecording([...chunks.slice(0, 2).entries()]);
    const { blobs } = api;
    const { put: store } = blobs;
    blobs.put = async (key, source) => {
      await api.call(`DELETE /medias/${id}`, { as: api.fixture.admin });
      await api.feature.cleanup.removeFiles();
      await store(key, source);
    };
    expect(await api.runTask("media.remux", id)).to.deep.equal({ kind: "done" });
    blobs.put = store;
    const { hash } = (await database.db("media").where({ id }))[0];
    expect(await blobs.size(`media/${hash}/part`)).not.to.equal(undefined);
    await api.feature.cleanup.removeFiles();
    expect(await blobs.size(`media/${hash}/part`)).to.equal(undefined);
  });

  it("waits for a recording whose first chunk is missing", async () => {
    const [, second] = await recordedChunks();
    const id = await aSilentRecording([[1, second!]]);
    expect(await api.runTask("media.remux", id)).to.deep.equal({ kind: "done" });
    expect((await database.db("media").where({ id }))[0]).to.include({
      state: "uncompleted",
      bytes: 0,
      closed_at: null,
    });
  });

  it("stops with its worker, even if the chunks keep the remuxer busy for ever", async () => {
    const id = await aSilentRecording([[0, await endlessRecording()]]);
    const stop = new AbortController();
    const built = api.runTask("media.remux", id, stop.signal).catch((error: unknown) => error);
    await eventually(async () => {
      expect(await childrenRunning("remux-process")).to.have.length(1);
    });
    const reason = new Error("the worker stops");
    stop.abort(reason);
    expect(await built).to.equal(reason);
    expect(await childrenRunning("remux-process")).to.deep.equal([]);
  });
});
