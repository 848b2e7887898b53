import { expect } from "chai";
import { createMediaUrls } from "../../src/media/model.ts";
import { createTestClock } from "../support/clock.ts";
import { testKey } from "../support/secret-box.ts";

const hash = "7b0e4f5a-8f0e-4d0c-9a52-0d7a3f0e1c2d";

describe("signed URL of a file", () => {
  const clock = createTestClock();
  const baseUrl = "https://sightline.example";
  const urls = createMediaUrls({ secretKey: testKey, baseUrl, clock });

  const parts = (url: string) => {
    const { searchParams } = new URL(url);
    return { e: searchParams.get("e") ?? "", s: searchParams.get("s") ?? "" };
  };

  it("contains the file's name, hash, expiry and signature", () => {
    const { pathname, origin, search } = new URL(urls.sign({ hash, filename: "a/b ü?.png" }));
    expect(origin).to.equal(baseUrl);
    expect(pathname).to.equal(`/attachments/${hash}/a%2Fb%20%C3%BC%3F.png`);
    expect(search).to.match(/^\?e=\d{10}&s=[\w-]{43}$/u);
  });

  it("is valid for an hour", () => {
    const input = parts(urls.sign({ hash, filename: "a" }));
    expect(urls.isSigned(hash, input)).to.equal(true);
    clock.advance(3_599_000);
    expect(urls.isSigned(hash, input)).to.equal(true);
    clock.advance(1_000);
    expect(urls.isSigned(hash, input)).to.equal(false);
  });

  it("stays the same for 15 minutes, and is always valid for an hour", () => {
    clock.set(new Date("2026-11-20T10:00:01.000Z"));
    const url = urls.sign({ hash, filename: "a" });
    clock.set(new Date("2026-11-20T10:15:00.000Z"));
    expect(urls.sign({ hash, filename: "a" })).to.equal(url);
    const expiry = Date.parse("2026-11-20T11:15:00.000Z") / 1_000;
    expect(parts(url).e).to.equal(String(expiry));
    clock.advance(1_000);
    expect(parts(urls.sign({ hash, filename: "a" })).e).to.equal(String(expiry + 900));
  });

  it("is valid only for its file, its expiry and its key", () => {
    const { e, s } = parts(urls.sign({ hash, filename: "a" }));
    const other = "7b0e4f5a-8f0e-4d0c-9a52-0d7a3f0e1c2e";
    expect(urls.isSigned(other, { e, s })).to.equal(false);
    expect(urls.isSigned(hash, { e: String(Number(e) + 1), s })).to.equal(false);
    expect(urls.isSigned(hash, { e, s: `${s}x` })).to.equal(false);
    expect(urls.isSigned(hash, { e: "", s: "" })).to.equal(false);
    const secretKey = Buffer.alloc(32, 1);
    const strangers = createMediaUrls({ secretKey, baseUrl, clock });
    expect(strangers.isSigned(hash, { e, s })).to.equal(false);
  });
});
