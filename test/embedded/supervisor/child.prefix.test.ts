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
  it("prefixes whole lines, however they were split", async () => {
    const bytes = Buffer.from("first\nsecönd\n\nlast");
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    const expected = "web.1 | first\nweb.1 | secönd\nweb.1 | \nweb.1 | last\n";
    expect(await pass([bytes])).to.equal(expected);
    expect(await pass(single)).to.equal(expected);
  });

  it("bounds a line that does not end", async () => {
    const lines = prefixLines("web.1 | ");
    let length = 0;
    lines.on("data", (part: Buffer) => (length += part.length));
    for (let i = 0; i < 10; i += 1) {
      lines.write(Buffer.alloc(16 * 1024, "x"));
    }
    await new Promise(setImmediate);
    expect(length).to.be.above(64 * 1024);
  });

  it("writes nothing without output", async () => {
    expect(await pass([])).to.equal("");
  });
});
