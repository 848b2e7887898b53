import { expect } from "chai";
import { jwtVerify } from "jose";
import { createSfu } from "../../../src/signalling/room/sfu.ts";

describe("a LiveKit token", () => {
  it("is for one page and one session, for ten minutes: audio and video, no data", async () => {
    const apiSecret = "a-secret-of-at-least-32-characters";
    const url = "wss://livekit.example.com";
    const sfu = createSfu({ url, apiUrl: "https://livekit.example.com", apiKey: "k", apiSecret });
    const token = await sfu.issueToken("a-session", { id: "a-page", name: "Nia" });
    const { payload } = await jwtVerify(token, new TextEncoder().encode(apiSecret));
    const { exp = 0, nbf = 0, ...claims } = payload;
    expect(claims).to.deep.equal({
      iss: "k",
      sub: "a-page",
      name: "Nia",
      video: {
        roomJoin: true,
        room: "a-session",
        canPublish: true,
        canSubscribe: true,
        canPublishData: false,
        canUpdateOwnMetadata: false,
      },
    });
    expect(exp - nbf).to.be.within(595, 605);
  });
});
