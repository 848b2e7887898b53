import { expect } from "chai";
import { locationAfterSignIn } from "../../../../web/console/sign-in/next.ts";

const origin = "https://video.example.com";
const home = { href: "/tickets", isConsole: true };
function after(next?: string) {
  return locationAfterSignIn(next, origin);
}

describe("the target of a sign-in", () => {
  it("is the requested page with its query", () => {
    expect(after("/meetings/7?tab=story#end")).to.deep.equal({
      href: "/meetings/7?tab=story#end",
      isConsole: true,
    });
    for (const href of ["/quick-invitation?reference=1", "/inbox/key", "/api/docs", "/api/docs/"]) {
      expect(after(href), href).to.deep.equal({ href, isConsole: false });
    }
    expect(after()).to.deep.equal(home);
  });

  for (const next of [
    "https://evil.example/",
    "//evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/login?next=/login",
  ]) {
    it(`is not ${next}`, () => {
      expect(after(next)).to.deep.equal(home);
    });
  }

  for (const next of [
    "/api/webhooks/7/events?after=x",
    "/API/tickets",
    "/api",
    "/api/docs/init.js",
  ]) {
    it(`calls no operation of the API: ${next}`, () => {
      expect(after(next)).to.deep.equal(home);
    });
  }
});
