import { expect } from "chai";
import type { CommandResult } from "../../../../../src/contracts/room-messages.ts";
import { takePhoto } from "../../../../../web/console/call/tools/take-photo.ts";
import type { PeerView } from "../../../../../web/rooms/room.ts";

const customer = { id: "peer" } as PeerView;
const frame = async () => new Blob(["jpeg"]);

const roomThat = (answer: CommandResult) => ({
  command: async () => answer,
  sendFile: async () => 7,
});

describe("a photo of the customer's camera", () => {
  it("is the one that the device took", async () => {
    const taken = await takePhoto(roomThat({ ok: true, mediaId: 3 }), customer, frame);
    expect(taken).to.deep.equal({ kind: "taken", mediaId: 3 });
  });

  it("comes from the video where the device fails", async () => {
    const taken = await takePhoto(roomThat({ ok: false, reason: "failed" }), customer, frame);
    expect(taken).to.deep.equal({ kind: "fallback", mediaId: 7 });
  });

  it("is not taken against a pause or a refusal", async () => {
    for (const reason of ["paused", "denied"] as const) {
      const taken = await takePhoto(roomThat({ ok: false, reason }), customer, frame);
      expect(taken).to.deep.equal({ kind: "refused", reason });
    }
  });

  it("fails where there is no picture either", async () => {
    const room = roomThat({ ok: false, reason: "unsupported" });
    const taken = await takePhoto(room, customer, async () => undefined);
    expect(taken).to.deep.equal({ kind: "refused", reason: "failed" });
  });
});
