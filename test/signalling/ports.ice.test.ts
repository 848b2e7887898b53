import { createHmac } from "node:crypto";
import { expect } from "chai";
import { iceSettings } from "../../src/signalling/ports.ts";

const now = new Date("2026-11-20T10:00:00Z");
const turn = {
  stunUrls: ["stun:stun.example:3478"],
  turnUrls: ["turn:turn.example:3478?transport=udp", "turns:turn.example:443"],
  turnSecret: "shared with coturn",
  policy: "all",
} as const;

describe("the ICE settings", () => {
  it("give a participant TURN credentials for an hour", () => {
    const username = `${now.getTime() / 1_000 + 3_600}:agent:3`;
    expect(iceSettings(turn, "agent:3", now)).to.deep.equal({
      servers: [
        { urls: turn.stunUrls },
        {
          urls: turn.turnUrls,
          username,
          credential: createHmac("sha1", turn.turnSecret).update(username).digest("base64"),
        },
      ],
      policy: "all",
      expiresInSeconds: 3_600,
    });
  });

  it("never contain the shared secret", () => {
    expect(JSON.stringify(iceSettings(turn, "requestor", now))).not.to.contain(turn.turnSecret);
  });

  it("are empty without servers", () => {
    const none = { stunUrls: [], turnUrls: [], turnSecret: undefined, policy: "all" } as const;
    expect(iceSettings(none, "requestor", now)).to.deep.equal({
      servers: [],
      policy: "all",
      expiresInSeconds: null,
    });
  });
});
