import { expect } from "chai";
import fc from "fast-check";
import { createFrameParser, encodeFrame, maxPrefixBytes, type Frame } from "../../src/hl7/mllp.ts";

function textOf({ bytes }: Frame): string {
  return bytes.toString();
}

describe("MLLP frames", () => {
  it("are complete, however the bytes are split into chunks", () => {
    const texts = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 40 }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), (messages, size) => {
        const bytes = Buffer.concat(messages.map(encodeFrame));
        const frames = createFrameParser(1_000);
        const got: string[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          got.push(...frames.push(bytes.subarray(at, at + size)).map(textOf));
        }
        expect(got).to.deep.equal(messages);
      }),
    );
  });

  it("are parsed without the bytes between them", () => {
    const frames = createFrameParser(100);
    const noise = Buffer.from("noise");
    expect(
      frames
        .push(Buffer.concat([noise, encodeFrame("one"), noise]))
        .map(({ bytes: b }) => b.toString()),
    ).to.deep.equal(["one"]);
    expect(frames.push(encodeFrame("two")).map(({ bytes: b }) => b.toString())).to.deep.equal([
      "two",
    ]);
  });

  it("are truncated above the maximum size, and the next one is parsed, for any chunking", () => {
    const texts = ["0123456789", "too large to be taken", "next", "0123456789"];
    const bytes = Buffer.concat(texts.map(encodeFrame));
    for (let size = 1; size <= bytes.length; size += 1) {
      const frames = createFrameParser(11);
      const got: (string | boolean)[][] = [];
      for (let at = 0; at < bytes.length; at += size) {
        const whole = frames.push(bytes.subarray(at, at + size));
        got.push(...whole.map((one) => [textOf(one).slice(0, 10), one.isTooLarge]));
      }
      expect(got, `in pieces of ${size}`).to.deep.equal([
        ["0123456789", false],
        ["too large ", true],
        ["next", false],
        ["0123456789", false],
      ]);
    }
  });

  it("without an end do not grow the buffer", () => {
    const frames = createFrameParser(100);
    frames.push(Buffer.from([0x0b]));
    for (let i = 0; i < 1_000; i += 1) {
      expect(frames.push(Buffer.alloc(1_000, 65))).to.deep.equal([]);
    }
    const [truncated] = frames.push(Buffer.from([0x1c, 0x0d]));
    expect(truncated?.bytes.length).to.be.below(maxPrefixBytes);
  });
});
