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
  it("is taken by the device", async () => {
    const taken = await takePhoto(roomThat({ ok: true, mediaId: 3 }), customer, frame);
    expect(taken).to.deep.equal({ kind: "taken", mediaId: 3 });
  });

  it("falls back to a video frame if the device fails", async () => {
    const taken = await takePhoto(roomThat({ ok: false, reason: "failed" }), customer, frame);
    expect(taken).to.deep.equal({ kind: "fallback", mediaId: 7 });
  });

  it("is not taken while the customer has paused or refused", async () => {
    for (const reason of ["paused", "denied"] as const) {
      const taken = await takePhoto(roomThat({ ok: false, reason }), customer, frame);
      expect(taken).to.deep.equal({ kind: "refused", reason });
    }
  });

  it("fails if there is no video frame either", async () => {
    const room = roomThat({ ok: false, reason: "unsupported" });
    const taken = await takePhoto(room, customer, async () => undefined);
    expect(taken).to.deep.equal({ kind: "refused", reason: "failed" });
  });
});
