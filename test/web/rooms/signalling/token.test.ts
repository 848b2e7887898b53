import { expect } from "chai";
import { isWaitingToken, ownerOfToken } from "../../../../web/rooms/signalling/token.ts";

function tokenOf(claims: object): string {
  return `header.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;
}

describe("the claims of a room token", () => {
  it("say whether its guest waits", () => {
    expect(isWaitingToken(tokenOf({ role: "waiting" }))).to.equal(true);
    expect(isWaitingToken(tokenOf({ role: "participant", name: "waiting ÿ?" }))).to.equal(false);
    expect(isWaitingToken("no token")).to.equal(false);
  });

  it("identify the same owner in every token of a person in a room", () => {
    const claims = { sub: "agent:3", conversation: 12 };
    expect(ownerOfToken(tokenOf({ ...claims, iat: 1 }))).to.equal(
      ownerOfToken(tokenOf({ ...claims, iat: 2 })),
    );
    expect(ownerOfToken(tokenOf({ ...claims, conversation: 13 }))).not.to.equal(
      ownerOfToken(tokenOf(claims)),
    );
  });
});
