import { expect } from "chai";
import fc from "fast-check";
import { createFrames, frame } from "../../src/hl7/frames.ts";

describe("MLLP frames", () => {
  it("come out whole, however the bytes are cut", () => {
    const texts = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 40 }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), (messages, size) => {
        const bytes = Buffer.concat(messages.map(frame));
        const frames = createFrames(1_000);
        const got: string[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          got.push(...frames.push(bytes.subarray(at, at + size)).map(String));
        }
        expect(got).to.deep.equal(messages);
      }),
    );
  });

  it("drop what stands between two of them", () => {
    const frames = createFrames(100);
    const noise = Buffer.from("noise");
    expect(frames.push(Buffer.concat([noise, frame("one"), noise])).map(String)).to.deep.equal([
      "one",
    ]);
    expect(frames.push(frame("two")).map(String)).to.deep.equal(["two"]);
  });

  it("are refused above their size, before their end has come", () => {
    const frames = createFrames(10);
    expect(() => frames.push(Buffer.concat([Buffer.from([11]), Buffer.alloc(11, 65)]))).to.throw(
      "larger than 10 bytes",
    );
  });
});
