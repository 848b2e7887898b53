import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { recordedChunks, useMedia } from "../support/media.ts";
import { aTicketRow } from "../support/media-rows.ts";

describe("building a recording's file", () => {
  const database = useDatabase();
  const api = useMedia(database);

  it("leaves none if the recording is deleted while it is stored", async () => {
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
    const chunks = await recordedChunks();
    for (const [n, bytes] of chunks.slice(0, 2).entries()) {
      await api.call(`PUT /rtc/recordings/${id}/chunks/${n}`, { guest, bytes });
    }
    api.clock.advance(61_000);
    await api.runTask("recording.silent", id);
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
});
