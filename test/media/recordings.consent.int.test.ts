import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { aTicketRow } from "../support/media-rows.ts";
import { recordedChunks, useMedia } from "../support/media.ts";

describe("recordings without the consent of those who are present", () => {
  const database = useDatabase();
  let isAgreed = true;
  const mayRecord = async (): Promise<boolean> => isAgreed;
  const recordingConsent = { mayStart: mayRecord, mayContinue: mayRecord };
  const api = useMedia(database, { recordingConsent });

  it("neither start nor grow, and keep what they have", async () => {
    const { id: ticketId, conversationId } = await aTicketRow(database.db, api.fixture);
    const { enterpriseId } = api.fixture;
    const guest = { enterpriseId, conversationId, ticketId, role: "agent" } as const;
    const json = { type: "video/webm" };
    const begin = () => api.call("POST /rtc/recordings", { guest, json });
    const { id } = (await begin()).body;
    const [bytes = Buffer.alloc(0)] = await recordedChunks();
    const put = () => api.call(`PUT /rtc/recordings/${id}/chunks/0`, { guest, bytes });

    isAgreed = false;
    for (const { status, body } of [await begin(), await put()]) {
      expect([status, body.details]).to.deep.equal([409, "Reason consent"]);
    }
    isAgreed = true;
    expect((await put()).status).to.equal(200);
    isAgreed = false;
    const path = `POST /rtc/recordings/${id}/finalize`;
    expect((await api.call(path, { guest, json: { chunks: 1 } })).status).to.equal(202);
  });
});
