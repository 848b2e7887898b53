import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { expect } from "chai";
import { createBlobs, type BlobOptions, type Blobs } from "../../../src/platform/blobs/blobs.ts";
import { createS3Blobs } from "../../../src/platform/blobs/s3.ts";
import type { BlobStore } from "../../../src/platform/blobs/store.ts";
import { freePort } from "../../support/free-port.ts";
import { useS3Server } from "../../support/s3-server.ts";
import { createTcpProxy } from "../../support/tcp-proxy.ts";

function failing(): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.from("the first half");
      throw new Error("the sender is gone");
    })(),
  );
}

async function rejection(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => {
      throw new Error("It did not fail");
    },
    (thrown: unknown) => thrown as Error,
  );
}

function keepsBlobs(title: string, options: () => BlobOptions) {
  describe(title, function () {
    this.timeout(20_000);
    let store: Blobs;
    let blobs: BlobStore;
    let dir = "";

    before("open the store", async () => {
      dir = await mkdtemp(join(tmpdir(), "sightline-blobs-test-"));
      store = createBlobs(options());
      ({ blobs } = store);
    });

    after("close it", async () => {
      await store.close();
      await rm(dir, { recursive: true, force: true });
    });

    const read = async (key: string, range?: { start: number; end: number }) => {
      const found = await blobs.open(key, range);
      return found && { text: await text(found.stream), totalBytes: found.totalBytes };
    };

    it("returns bytes, a file and a stream unchanged", async () => {
      const path = join(dir, "a file");
      await writeFile(path, "from a file");
      await blobs.put("kept/bytes", { data: Buffer.from("from bytes") });
      await blobs.put("kept/file", { path });
      await blobs.put("kept/stream", { stream: createReadStream(path) });
      expect(await read("kept/bytes")).to.deep.equal({ text: "from bytes", totalBytes: 10 });
      expect(await read("kept/file")).to.deep.equal({ text: "from a file", totalBytes: 11 });
      expect(await read("kept/stream")).to.deep.equal({ text: "from a file", totalBytes: 11 });
    });

    it("returns a range, with the size of the whole", async () => {
      await blobs.put("kept/part", { data: Buffer.from("0123456789") });
      expect(await read("kept/part", { start: 2, end: 5 })).to.deep.equal({
        text: "2345",
        totalBytes: 10,
      });
      expect(await read("kept/part", { start: 9, end: 9 })).to.deep.equal({
        text: "9",
        totalBytes: 10,
      });
    });

    it("returns sizes, and undefined for a missing blob", async () => {
      await blobs.put("kept/size", { data: Buffer.alloc(1_234) });
      expect(await blobs.size("kept/size")).to.equal(1_234);
      expect(await blobs.size("kept/nothing")).to.equal(undefined);
      expect(await blobs.open("kept/nothing")).to.equal(undefined);
    });

    it("keeps an empty blob", async () => {
      await blobs.put("kept/empty", { data: Buffer.alloc(0) });
      expect(await read("kept/empty")).to.deep.equal({ text: "", totalBytes: 0 });
    });

    it("replaces a blob completely", async () => {
      await blobs.put("kept/twice", { data: Buffer.from("the longer text of before") });
      await blobs.put("kept/twice", { data: Buffer.from("new") });
      expect(await read("kept/twice")).to.deep.equal({ text: "new", totalBytes: 3 });
    });

    it("removes a blob, even a missing one", async () => {
      await blobs.put("kept/removed", { data: Buffer.from("x") });
      await blobs.remove("kept/removed");
      await blobs.remove("kept/removed");
      expect(await blobs.size("kept/removed")).to.equal(undefined);
    });

    it("stores a file of many parts", async () => {
      const data = randomBytes(12 * 1024 * 1024);
      await blobs.put("kept/large", {
        stream: Readable.from([data.subarray(0, 7_000_000), data.subarray(7_000_000)]),
      });
      const found = await blobs.open("kept/large");
      expect((await buffer(found!.stream)).equals(data)).to.equal(true);
      const part = await blobs.open("kept/large", { start: 6_999_998, end: 7_000_001 });
      expect((await buffer(part!.stream)).equals(data.subarray(6_999_998, 7_000_002))).to.equal(
        true,
      );
    });

    it("keeps the old blob if an upload is interrupted", async () => {
      await blobs.put("kept/broken", { data: Buffer.from("whole") });
      const error = await rejection(blobs.put("kept/broken", { stream: failing() }));
      expect(error.message).to.equal("the sender is gone");
      expect(await read("kept/broken")).to.deep.equal({ text: "whole", totalBytes: 5 });
      await rejection(blobs.put("kept/never", { stream: failing() }));
      expect(await blobs.size("kept/never")).to.equal(undefined);
    });

    for (const key of ["../out", "kept/../../out", "/etc/passwd", "kept/a b", "kept//a", "alone"]) {
      it(`rejects the key "${key}"`, async () => {
        const error = await rejection(blobs.put(key, { data: Buffer.from("x") }));
        expect(error.message).to.contain("key");
        expect((await rejection(blobs.open(key))).message).to.contain("key");
      });
    }
  });
}

describe("the blob store", () => {
  let dir = "";
  before("make a folder", async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-disk-blobs-"));
  });
  after("remove it", async () => {
    await rm(dir, { recursive: true, force: true });
  });
  const server = useS3Server();

  keepsBlobs("on disk", () => ({ store: "disk", dir }));
  keepsBlobs("in a bucket", () => ({ store: "s3", ...server.options }));

  describe("in a bucket whose connections have fallen silent", () => {
    it("asks again on another one, or fails if all are silent", async () => {
      const { options } = server;
      const proxy = createTcpProxy(await freePort(), Number(new URL(options.endpoint ?? "").port));
      await proxy.open();
      const blobs = createS3Blobs({
        ...options,
        endpoint: `http://127.0.0.1:${proxy.port}`,
        silenceMs: 500,
      });
      await blobs.put("kept/far", { data: Buffer.from("far away") });
      proxy.fallSilent();
      expect(await blobs.size("kept/far")).to.equal(8);
      proxy.fallSilent();
      expect(await text((await blobs.open("kept/far"))!.stream)).to.equal("far away");
      await proxy.close();
      const endless = createServer((socket) => void socket.resume()).listen(
        proxy.port,
        "127.0.0.1",
      );
      await once(endless, "listening");
      const error = await rejection(blobs.open("kept/far"));
      expect(error.name).to.equal("TimeoutError");
      const upload = await rejection(blobs.put("kept/far", { data: Buffer.from("x") }));
      expect(upload.name).to.equal("TimeoutError");
      await blobs.close();
      endless.close();
      await once(endless, "close");
    });
  });

  describe("in a bucket with many slow readers", () => {
    it("still answers the others", async () => {
      const bucket = createHttpServer((request, response) => {
        response.writeHead(200, { "content-length": 100 });
        if (request.method === "HEAD") {
          response.end();
        } else {
          response.write("x");
        }
      });
      bucket.listen(0, "127.0.0.1");
      await once(bucket, "listening");
      const { port } = bucket.address() as AddressInfo;
      const blobs = createS3Blobs({ ...server.options, endpoint: `http://127.0.0.1:${port}` });
      const slow = await Promise.all(Array.from({ length: 60 }, () => blobs.open("kept/slow")));
      expect(await blobs.size("kept/other")).to.equal(100);
      for (const download of slow) {
        download?.stream.destroy();
      }
      await blobs.close();
      bucket.closeAllConnections();
      bucket.close();
      await once(bucket, "close");
    });
  });

  describe("on disk, after all other tests", () => {
    it("has no leftovers of interrupted uploads", async () => {
      expect(await readdir(join(dir, "incoming"))).to.deep.equal([]);
    });
  });
});
