import { Readable } from "node:stream";
import { expect } from "chai";
import { createOcrEngine } from "../../src/media/ocr-engine.ts";
import { childrenRunning } from "../support/child-processes.ts";
import { eventually } from "../support/eventually.ts";
import { readFixture } from "../support/media.ts";
import { useTemporaryFolder } from "../support/temporary-folder.ts";

describe("OCR engine", function () {
  this.timeout(30_000);
  const temporaryFiles = useTemporaryFolder();
  const { signal } = new AbortController();
  const order = (data: Buffer, stop: AbortSignal = signal) => ({
    stream: Readable.from([data]),
    rectangle: undefined,
    signal: stop,
  });

  it("reads pictures sequentially with a concurrency of one", async () => {
    const engine = createOcrEngine({ concurrency: 1 });
    const photo = await readFixture("text.png");
    const readings = await Promise.all([engine.read(order(photo)), engine.read(order(photo))]);
    for (const reading of readings) {
      expect(reading.kind === "text" && reading.text.trim()).to.equal(
        "Meter 48213\nSerial AB 7790",
      );
    }
  });

  it("reports why it cannot read bytes that are not a picture", async () => {
    const reading = await createOcrEngine().read(order(Buffer.from("no picture at all")));
    expect(reading.kind).to.equal("unreadable");
  });

  it("is killed after its time limit, and leaves no files behind", async () => {
    const engine = createOcrEngine({ timeoutMs: 50 });
    const reading = await engine.read(order(await readFixture("text.png")));
    expect(reading).to.deep.equal({ kind: "unreadable", reason: "no result within 50 ms" });
    const left = (await temporaryFiles()).filter((name) => name.startsWith("sightline-ocr-"));
    expect(left).to.deep.equal([]);
  });

  it("stops with its worker", async () => {
    const stop = new AbortController();
    const reading = createOcrEngine().read(order(await readFixture("text.png"), stop.signal));
    stop.abort(new Error("the worker stops"));
    const thrown = await reading.catch((error: unknown) => error as Error);
    expect(thrown).to.be.instanceOf(Error);
  });

  it("does not receive the signals of the terminal", async () => {
    const stop = new AbortController();
    const reading = createOcrEngine().read(order(await readFixture("text.png"), stop.signal));
    const ended = reading.catch((error: unknown) => error as Error);
    await eventually(async () => {
      const children = await childrenRunning("ocr-process");
      expect(children.map(({ id, session }) => session === id)).to.deep.equal([true]);
    });
    stop.abort(new Error("seen"));
    await ended;
  });
});
