import { expect } from "chai";
import { clearCookie, csrfTokenOf, setCookie } from "../../../src/accounts/sessions/cookie.ts";

const https = "https://video.example.com";
const local = "http://localhost:3000";

describe("the cookie of a session", () => {
  it("belongs to one host, is hidden from scripts and not sent by other sites", () => {
    expect(setCookie("id", { baseUrl: https, isEmbedded: false })).to.equal(
      "__Host-sid=id; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
    expect(setCookie("id", { baseUrl: local, isEmbedded: false })).to.equal(
      "sid=id; Path=/; HttpOnly; SameSite=Lax",
    );
  });

  it("is kept in an iframe, for the site around it alone", () => {
    const embedded = "Path=/; HttpOnly; SameSite=None; Secure; Partitioned";
    expect(setCookie("id", { baseUrl: https, isEmbedded: true })).to.equal(
      `__Host-sid=id; ${embedded}`,
    );
    expect(setCookie("id", { baseUrl: local, isEmbedded: true })).to.equal(`sid=id; ${embedded}`);
  });

  it("is removed with the attributes that it was set with", () => {
    for (const isEmbedded of [true, false]) {
      for (const baseUrl of [https, local]) {
        const place = { baseUrl, isEmbedded };
        expect(clearCookie(place)).to.equal(setCookie("", place).replace("; ", "; Max-Age=0; "));
      }
    }
  });

  it("gives a CSRF token that is its own and does not tell the id", () => {
    const token = csrfTokenOf("id");
    expect(token).to.match(/^[\w-]{43}$/u);
    expect(csrfTokenOf("id")).to.equal(token);
    expect(csrfTokenOf("other")).to.not.equal(token);
    expect(token).to.not.contain("id");
  });
});
