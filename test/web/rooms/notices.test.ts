import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { initialPeerState } from "../../../src/contracts/room-messages.ts";
import { roomNotices, type RoomNotice } from "../../../web/rooms/notices.ts";
import { callStatus } from "../../../web/visit/room/call-status.ts";

async function textsOf(page: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(`web/${page}/texts/en.json`, "utf8")) as Record<string, unknown>;
}

describe("the notices of a room", () => {
  const hostsOnly = ["admit-failed", "deny-failed", "lock-failed"];

  it("have a sentence on the agent's page, except those of meeting hosts", async () => {
    const { notice } = await textsOf("console/call");
    const without = roomNotices.filter((one) => !(one in (notice as object)));
    expect(without).to.deep.equal(hostsOnly);
  });

  it("have a sentence on the page of a meeting, which takes no photos", async () => {
    const texts = await textsOf("meeting");
    const without = roomNotices.filter((one) => !(`notice_${one}` in texts));
    expect(without).to.deep.equal(["photo-failed"]);
  });

  it("have a sentence on the customer's page, except those of staff and hosts", () => {
    const self = { role: "requestor", state: initialPeerState };
    const view = { connection: "connected", phase: "in-call", self };
    const statusOf = (notice: RoomNotice) =>
      callStatus({ ...view, notice } as Parameters<typeof callStatus>[0], undefined, undefined);
    const without = roomNotices.filter((one) => statusOf(one).text === "notice_other");
    const staffOnly = ["end-failed", "recording-incomplete", "recording-stopped", "remove-failed"];
    expect(without).to.have.members(["screen-failed", ...staffOnly, ...hostsOnly]);
    expect(statusOf("audio-only")).to.deep.equal({ tone: "warning", text: "notice_audio_only" });
    expect(statusOf("video-back")).to.deep.equal({ tone: "note", text: "notice_video_back" });
  });
});
