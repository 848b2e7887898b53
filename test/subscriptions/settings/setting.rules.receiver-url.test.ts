import { expect } from "chai";
import { hasOtherOrigin, inboxKeyOf } from "../../../src/subscriptions/settings/setting.ts";

const key = "abcdefghijABCDEFGHIJ01";

describe("inbox URL", () => {
  it("has a path that ends with an inbox key, on any host", () => {
    expect(inboxKeyOf(`http://127.0.0.1:3000/inbox/${key}`)).to.equal(key);
    expect(inboxKeyOf(`https://demo.example/inbox/${key}?status=500`)).to.equal(key);
  });

  it("rejects other URLs", () => {
    for (const url of [
      null,
      "",
      key,
      `https://demo.example/inbox/${key}/`,
      `https://demo.example/inbox/${key}x`,
      `https://demo.example/inbox/${key.slice(1)}`,
      `https://demo.example/?x=/inbox/${key}`,
      `https://demo.example/inbox-${key}`,
      `https://demo.example/myinbox${key}`,
    ]) {
      expect(inboxKeyOf(url), String(url)).to.equal(undefined);
    }
  });
});

describe("receiver at another origin", () => {
  it("differs in scheme, host or port, or had no URL", () => {
    const before = "https://receiver.example/hook";
    for (const after of [
      "https://other.example/hook",
      "https://receiver.example:8443/hook",
      "http://receiver.example/hook",
    ]) {
      expect(hasOtherOrigin(after, before), after).to.equal(true);
    }
    expect(hasOtherOrigin(before, null)).to.equal(true);
    expect(hasOtherOrigin("https://receiver.example:443/other?a=b", before)).to.equal(false);
    expect(hasOtherOrigin(null, before)).to.equal(false);
  });
});
