import { expect } from "chai";
import { jwtVerify } from "jose";
import type { PeerRole } from "../../../src/contracts/signalling.ts";
import { createSfu } from "../../../src/signalling/room/sfu.ts";

describe("a LiveKit token", () => {
  const apiSecret = "a-secret-of-at-least-32-characters";

  const claimsFor = async (role: PeerRole, name: string) => {
    const url = "wss://livekit.example.com";
    const sfu = createSfu({ url, apiUrl: "https://livekit.example.com", apiKey: "k", apiSecret });
    const token = await sfu.issueToken("a-session", { id: "a-page", name, role });
    return (await jwtVerify(token, new TextEncoder().encode(apiSecret))).payload;
  };

  it("is valid for one page and one session, for ten minutes: audio and video, no data", async () => {
    const { exp = 0, nbf = 0, ...claims } = await claimsFor("participant", "Nia");
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

  it("of a supervisor is receive-only and hidden", async () => {
    const { video } = await claimsFor("supervisor", "");
    expect(video).to.deep.equal({
      roomJoin: true,
      room: "a-session",
      canPublish: false,
      hidden: true,
      canSubscribe: true,
      canPublishData: false,
      canUpdateOwnMetadata: false,
    });
  });
});
