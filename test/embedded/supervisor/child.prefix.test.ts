import { expect } from "chai";
import { prefixLines } from "../../../src/embedded/supervisor/child.ts";

async function pass(chunks: readonly Buffer[]): Promise<string> {
  const lines = prefixLines("web.1 | ");
  let text = "";
  lines.on("data", (part: Buffer) => (text += part.toString("utf8")));
  const ended = new Promise((resolve) => lines.once("end", resolve));
  chunks.forEach((chunk) => lines.write(chunk));
  lines.end();
  await ended;
  return text;
}

describe("prefixLines", () => {
  it("puts the prefix before whole lines, however they were cut", async () => {
    const bytes = Buffer.from("first\nsecönd\n\nlast");
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    const expected = "web.1 | first\nweb.1 | secönd\nweb.1 | \nweb.1 | last\n";
    expect(await pass([bytes])).to.equal(expected);
    expect(await pass(single)).to.equal(expected);
  });

  it("does not collect a line without an end for ever", async () => {
    const lines = prefixLines("web.1 | ");
    let length = 0;
    lines.on("data", (part: Buffer) => (length += part.length));
    for (let i = 0; i < 10; i += 1) {
      lines.write(Buffer.alloc(16 * 1024, "x"));
    }
    await new Promise(setImmediate);
    expect(length).to.be.above(64 * 1024);
  });

  it("says nothing for a program that said nothing", async () => {
    expect(await pass([])).to.equal("");
  });
});
