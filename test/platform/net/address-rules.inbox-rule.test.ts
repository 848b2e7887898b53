import { expect } from "chai";
import { createInboxRule } from "../../../src/platform/net/address-rules.ts";

function isUrl(prefix: string, url: string): boolean {
  return createInboxRule(prefix).isUrl(new URL(url));
}

describe("the inbox rule", () => {
  const prefix = "http://127.0.0.1:3000/inbox/";

  it("matches its own URLs in any equivalent notation", () => {
    for (const url of [
      "http://127.0.0.1:3000/inbox/Key_1-x",
      "http://127.0.0.1:3000/inbox/key?status=500",
      "http://127.1:3000/inbox/key",
      "http://127.0.0.1:3000/api/../inbox/key",
    ]) {
      expect(isUrl(prefix, url), url).to.equal(true);
    }
  });

  it("prevents path traversal", () => {
    for (const url of [
      "http://127.0.0.1:3000/inbox/../api/token",
      "http://127.0.0.1:3000/inbox/%2e%2e/api/token",
      "http://127.0.0.1:3000/inbox/.%2E/api/token",
      "http://127.0.0.1:3000/inbox/..%2fapi",
      "http://127.0.0.1:3000/inbox/..%5capi",
      "http://127.0.0.1:3000/inbox/..\\api",
      "http://127.0.0.1:3000/inbox/key/../../api",
      "http://127.0.0.1:3000/inbox/key/more",
      "http://127.0.0.1:3000/inbox/a%2fb",
      "http://127.0.0.1:3000/inbox/;x",
      "http://127.0.0.1:3000/inbox/",
      "http://127.0.0.1:3000/inbox",
      "http://127.0.0.1:3000//inbox/key",
      "http://127.0.0.1:3000/INBOX/key",
      "http://127.0.0.1:30000/inbox/key",
      "http://user@127.0.0.1:3000/inbox/key",
    ]) {
      expect(isUrl(prefix, url), url).to.equal(false);
    }
  });

  it("matches literal addresses over http, and whole path segments only", () => {
    for (const bad of [
      "http://localhost:3000/inbox/",
      "https://127.0.0.1:3000/inbox/",
      "http://127.0.0.1:3000/inbox",
      "http://127.1:3000/inbox/",
      "inbox/",
    ]) {
      expect(isUrl(bad, `${URL.canParse(bad) ? bad : prefix}key`), bad).to.equal(false);
    }
    expect(isUrl("http://[::1]:3000/inbox/", "http://[::1]:3000/inbox/key")).to.equal(true);
  });

  it("matches exactly one address and port", () => {
    const rule = createInboxRule("http://[::1]/inbox/");
    expect(rule.isAddress("::1", 80)).to.equal(true);
    expect(rule.isAddress("::1", 81)).to.equal(false);
    expect(rule.isAddress("127.0.0.1", 80)).to.equal(false);
  });

  it("may get its URL later, and matches nothing until then", () => {
    let place: string | undefined;
    const rule = createInboxRule(() => place);
    const url = new URL("http://127.0.0.1:4000/inbox/key");
    expect(rule.isUrl(url)).to.equal(false);
    place = "http://127.0.0.1:4000/inbox/";
    expect(rule.isUrl(url)).to.equal(true);
    expect(rule.isAddress("127.0.0.1", 4000)).to.equal(true);
  });

  it("matches nothing without an inbox", () => {
    const rule = createInboxRule(undefined);
    expect(rule.isUrl(new URL("http://127.0.0.1:3000/inbox/key"))).to.equal(false);
    expect(rule.isAddress("127.0.0.1", 3000)).to.equal(false);
  });
});
