import { expect } from "chai";
import { initialPeerState, type RoomPeer } from "../../../../src/contracts/room-messages.ts";
import { verdictOf } from "../../../../web/rooms/recording/answers.ts";

function peer(id: string, role: RoomPeer["role"], isInCall = true): RoomPeer {
  return { id, role, name: id, participant: id, isInCall, state: initialPeerState };
}

const everybody = [
  peer("jane", "participant"),
  peer("joe", "participant"),
  peer("host", "moderator"),
];

describe("the permission to record", () => {
  it("requires the consent of everyone except those who record", () => {
    expect(verdictOf(everybody, new Map([["jane", true]]))).to.equal("open");
    const all = new Map([
      ["jane", true],
      ["joe", true],
    ]);
    expect(verdictOf(everybody, all)).to.equal("accepted");
  });

  it("is refused by a single participant", () => {
    expect(verdictOf(everybody, new Map([["joe", false]]))).to.equal("refused");
  });

  it("does not depend on participants outside the call", () => {
    const people = [peer("customer", "requestor"), peer("away", "requestor", false)];
    expect(verdictOf(people, new Map([["customer", true]]))).to.equal("accepted");
  });
});
