import { expect } from "chai";
import { inboxKeyOf, hasOtherOrigin } from "../../../src/subscriptions/settings/rules.ts";

const key = "abcdefghijABCDEFGHIJ01";

describe("inbox URL", () => {
  it("is one whose path ends in an inbox key, wherever it is served", () => {
    expect(inboxKeyOf(`http://127.0.0.1:3000/inbox/${key}`)).to.equal(key);
    expect(inboxKeyOf(`https://demo.example/inbox/${key}?status=500`)).to.equal(key);
  });

  it("is nothing else", () => {
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

describe("receiver that moves", () => {
  it("is elsewhere where scheme, host or port are others, and where it had no URL", () => {
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
