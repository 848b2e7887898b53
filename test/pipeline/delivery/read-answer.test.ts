import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect } from "chai";
import {
  keptAnswerBytes,
  maxAnswerBytes,
  plainHeaders,
  readAnswer,
} from "../../../src/pipeline/delivery/read-answer.ts";
import { eventually } from "../../support/eventually.ts";

async function read(chunks: readonly Buffer[], headers: Record<string, string> = {}) {
  const message = new IncomingMessage(new Socket());
  Object.assign(message.headers, headers);
  let enough = 0;
  let hasEnded = false;
  const reader = readAnswer(message, () => {
    enough += 1;
  });
  message.once("end", () => {
    hasEnded = true;
  });
  for (const chunk of chunks) {
    message.push(chunk);
  }
  message.push(null);
  await eventually(() => hasEnded);
  return { text: reader.text(), enough };
}

describe("the kept part of an answer", () => {
  it("is the whole text if it is short", async () => {
    const { text, enough } = await read([Buffer.from("Zo"), Buffer.from("ë 😀")]);
    expect(text).to.equal("Zoë 😀");
    expect(enough).to.equal(0);
  });

  it("is empty without a body", async () => {
    expect((await read([])).text).to.equal("");
  });

  it("is the first 4 KB, without a character cut in half", async () => {
    const { text } = await read([Buffer.from(`${"a".repeat(keptAnswerBytes - 1)}é and more`)]);
    expect(text).to.equal("a".repeat(keptAnswerBytes - 1));
  });

  it("is valid Postgres text", async () => {
    const { text } = await read([Buffer.from([0x61, 0, 0x62, 0xff])]);
    expect(text).to.equal("a\uFFFDb\uFFFD");
  });

  it("is empty for a compressed body", async () => {
    expect((await read([Buffer.from("abc")], { "content-encoding": "br" })).text).to.equal("");
    expect((await read([Buffer.from("abc")], { "content-encoding": "identity" })).text).to.equal(
      "abc",
    );
  });

  it("reports once that the limit of 64 KB is exceeded", async () => {
    const chunk = Buffer.alloc(maxAnswerBytes / 2, "x");
    expect((await read([chunk, chunk])).enough).to.equal(0);
    expect((await read([chunk, chunk, chunk, chunk])).enough).to.equal(1);
  });
});

describe("the headers of an answer", () => {
  it("are plain strings", () => {
    expect(plainHeaders({ "set-cookie": ["a=1", "b=2"], server: "x" })).to.deep.equal({
      "set-cookie": "a=1, b=2",
      server: "x",
    });
  });
});
