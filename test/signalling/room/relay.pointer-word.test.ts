import { expect } from "chai";
import { parsePointer, presentPointer } from "../../../src/signalling/room/relay.ts";

const room = { enterpriseId: 3, conversationId: 12 };
const from = "6d4f0bd0-5b0f-4d0c-9a3c-0a7f5d2f1b11";

function carried(point: { x: number; y: number } | null) {
  const [topic, ...words] = presentPointer(room, { from, point }).split(":");
  expect(topic).to.equal("pointer");
  return parsePointer(words);
}

describe("a pointer encoded in a wake-up", () => {
  it("round-trips with five decimals", () => {
    const point = { x: 0.123456, y: 1 };
    expect(carried(point)).to.deep.equal({
      room,
      payload: { from, point: { x: 0.12346, y: 1 } },
    });
    expect(carried({ x: 0, y: 0 }).payload.point).to.deep.equal({ x: 0, y: 0 });
  });

  it("can be hidden", () => {
    expect(carried(null)).to.deep.equal({ room, payload: { from, point: null } });
  });

  it("fits into one word of a wake-up", () => {
    const large = { enterpriseId: 99_999_999, conversationId: 9_999_999_999 };
    const word = presentPointer(large, { from, point: { x: 0.99999, y: 0.99999 } });
    expect(word).to.have.length.at.most(90);
    expect(word).to.not.include(" ");
  });
});
