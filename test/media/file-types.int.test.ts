import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Problem } from "../../src/contracts/problems.ts";
import { checkFileSize, checkFileType } from "../../src/media/file-types.ts";
import { recordedChunks, tinyPng } from "../support/media.ts";

const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n");
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
const zip = Buffer.from("504b0506000000000000000000000000000000000000", "hex");
const exe = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(500)]);
async function webm() {
  return Buffer.concat(await recordedChunks());
}

describe("the type of a file", () => {
  let dir = "";
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-types-"));
  });
  after(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  const check = async (data: Buffer, filename: string, declaredType: string): Promise<string> => {
    const path = join(dir, "file");
    await writeFile(path, data);
    return checkFileType({ path, filename, declaredType }).catch(
      (thrown: unknown) => (thrown as Problem).kind,
    );
  };

  for (const [filename, declared, expected] of [
    ["a.png", "image/png", "image/png"],
    ["a.jpg", "image/jpeg", "image/png"],
    ["photo", "", "image/png"],
    ["A.PNG", "application/octet-stream", "image/png"],
    ["a.html", "image/png", "unsupported_media_type"],
    ["a.png", "text/html", "unsupported_media_type"],
    ["a.mp4", "video/mp4", "unsupported_media_type"],
  ] as const) {
    it(`of a picture named ${filename}, sent as "${declared}", is ${expected}`, async () => {
      expect(await check(tinyPng, filename, declared)).to.equal(expected);
    });
  }

  it("of a video is detected by its bytes, of audio in a video container by the declared type", async () => {
    expect(await check(await webm(), "a.webm", "video/webm;codecs=vp8")).to.equal("video/webm");
    expect(await check(await webm(), "a.weba", "audio/webm")).to.equal("audio/webm");
    expect(await check(await webm(), "a.png", "image/png")).to.equal("unsupported_media_type");
  });

  it("of documents and texts is detected", async () => {
    expect(await check(pdf, "a.pdf", "application/pdf")).to.equal("application/pdf");
    expect(await check(Buffer.from("héllo"), "a.txt", "text/plain")).to.equal("text/plain");
    expect(await check(Buffer.from("a;b\n1;2"), "a.csv", "text/csv")).to.equal("text/csv");
  });

  for (const [title, data, filename, declared] of [
    ["an SVG picture", svg, "a.svg", "image/svg+xml"],
    ["an SVG picture named as text", svg, "a.txt", "text/plain"],
    ["a script", Buffer.from("#!/bin/sh\nrm -rf /"), "a.txt", "text/plain"],
    ["a script by its name", Buffer.from("alert(1)"), "a.js", "text/javascript"],
    ["an archive", zip, "a.zip", "application/zip"],
    ["a program", exe, "a.exe", "application/octet-stream"],
    ["text that is none", Buffer.from([0x61, 0x00, 0x62]), "a.txt", "text/plain"],
    ["text in an unknown encoding", Buffer.from([0xff, 0xc3, 0x28]), "a.txt", "text/plain"],
    ["text that calls itself a picture", Buffer.from("hello"), "a.txt", "image/png"],
  ] as const) {
    it(`is rejected for ${title}`, async () => {
      expect(await check(data, filename, declared)).to.equal("unsupported_media_type");
    });
  }

  it("limits the size: 20 MiB for pictures, 100 MiB for all files", () => {
    const mebibyte = 1024 * 1024;
    const size = (type: string, bytes: number) => () => checkFileSize(type, bytes);
    expect(size("image/png", 20 * mebibyte)).not.to.throw();
    expect(size("image/png", 20 * mebibyte + 1)).to.throw("20971520");
    expect(size("video/mp4", 100 * mebibyte)).not.to.throw();
    expect(size("video/mp4", 100 * mebibyte + 1)).to.throw("104857600");
  });
});
