import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Output,
  WebMOutputFormat,
} from "mediabunny";
import { remuxInProcess, type RemuxLimits } from "../../src/media/remux-engine.ts";
import { childrenRunning } from "../support/child-processes.ts";
import { eventually } from "../support/eventually.ts";
import { endlessRecording, recordedChunks } from "../support/media.ts";

describe("remux engine", function () {
  this.timeout(120_000);
  const { signal: running } = new AbortController();
  let folder = "";
  beforeEach("make a folder", async () => {
    folder = await mkdtemp(join(tmpdir(), "sightline-remux-"));
  });
  afterEach("remove it", () => rm(folder, { recursive: true }));

  const file = (): string => join(folder, "file");
  const anOrder = async (bytes: Uint8Array) => {
    const from = join(folder, "chunks");
    await writeFile(from, bytes);
    return { from, to: file(), type: "video/webm" } as const;
  };
  const remuxed = async (bytes: Uint8Array, limits?: Partial<RemuxLimits>): Promise<boolean> =>
    remuxInProcess(await anOrder(bytes), running, limits);

  const largeRecording = async (pictureMiB: number, count: number): Promise<Uint8Array> => {
    const target = new BufferTarget();
    const output = new Output({ format: new WebMOutputFormat(), target });
    const source = new EncodedVideoPacketSource("vp8");
    output.addVideoTrack(source);
    await output.start();
    const decoderConfig = { codec: "vp8", codedWidth: 640, codedHeight: 480 };
    const picture = new Uint8Array(pictureMiB * 1024 ** 2); // an even first byte: a key frame
    const pictures = Array.from(
      { length: count },
      (_, second) => new EncodedPacket(picture, "key", second, 1),
    );
    await Promise.all(pictures.map(async (packet) => source.add(packet, { decoderConfig })));
    await output.finalize();
    return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
  };

  it("writes a playable file, and says when chunks are unusable", async () => {
    expect(await remuxed(Buffer.concat(await recordedChunks()))).to.equal(true);
    const bytes = await readFile(file());
    expect(bytes.includes(Buffer.from([0x44, 0x89])), "has a Duration").to.equal(true);
    expect(await remuxed(Buffer.from("no film"))).to.equal(false);
  });

  it("gives up a recording that keeps the library busy for ever", async () => {
    expect(await remuxed(await endlessRecording(), { timeoutMs: 3_000 })).to.equal(false);
    expect(await childrenRunning("remux-process")).to.deep.equal([]);
  });

  it("gives up a recording that needs too much memory", async () => {
    expect(await remuxed(await largeRecording(100, 2), { memoryMiB: 64 })).to.equal(false);
  });

  it("throws when the disk is full or the process was killed: both are worth a retry", async () => {
    // More than the library collects before it writes.
    const full = { ...(await anOrder(await largeRecording(1, 40))), to: "/dev/full" };
    const thrown = await remuxInProcess(full, running).catch((error: unknown) => error as Error);
    expect(String(thrown)).to.include("ENOSPC");
    const reading = remuxed(await endlessRecording()).catch((error: unknown) => error as Error);
    await eventually(async () => {
      const [child] = await childrenRunning("remux-process");
      expect(child).not.to.equal(undefined);
      process.kill(child?.id ?? 0, "SIGKILL");
    });
    expect(String(await reading)).to.include("The remux process ended with SIGKILL");
  });

  it("stops with its worker", async () => {
    const stop = new AbortController();
    const order = await anOrder(await endlessRecording());
    const reading = remuxInProcess(order, stop.signal).catch((error: unknown) => error);
    await eventually(async () => {
      expect(await childrenRunning("remux-process")).to.have.length(1);
    });
    const reason = new Error("the worker stops");
    stop.abort(reason);
    expect(await reading).to.equal(reason);
    expect(await childrenRunning("remux-process")).to.deep.equal([]);
  });
});
