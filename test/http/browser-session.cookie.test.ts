import { expect } from "chai";
import {
  browserIdOf,
  clearedSessionCookie,
  csrfTokenOf,
  browserCookie,
  sessionCookie,
} from "../../src/http/browser-session.ts";

const https = "https://video.example.com";
const local = "http://localhost:3000";

describe("session cookie", () => {
  it("is bound to one host, HttpOnly and SameSite", () => {
    expect(sessionCookie("id", { baseUrl: https, isEmbedded: false })).to.equal(
      "__Host-sid=id; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
    expect(sessionCookie("id", { baseUrl: local, isEmbedded: false })).to.equal(
      "sid=id; Path=/; HttpOnly; SameSite=Lax",
    );
  });

  it("is partitioned in an iframe", () => {
    const embedded = "Path=/; HttpOnly; SameSite=None; Secure; Partitioned";
    expect(sessionCookie("id", { baseUrl: https, isEmbedded: true })).to.equal(
      `__Host-sid=id; ${embedded}`,
    );
    expect(sessionCookie("id", { baseUrl: local, isEmbedded: true })).to.equal(
      `sid=id; ${embedded}`,
    );
  });

  it("is removed with the attributes with which it was set", () => {
    for (const isEmbedded of [true, false]) {
      for (const baseUrl of [https, local]) {
        const place = { baseUrl, isEmbedded };
        expect(clearedSessionCookie(place)).to.equal(
          sessionCookie("", place).replace("; ", "; Max-Age=0; "),
        );
      }
    }
  });

  it("derives a CSRF token that does not reveal the id", () => {
    const token = csrfTokenOf("id");
    expect(token).to.match(/^[\w-]{43}$/u);
    expect(csrfTokenOf("id")).to.equal(token);
    expect(csrfTokenOf("other")).to.not.equal(token);
    expect(token).to.not.contain("id");
  });
});

describe("known-browser cookie", () => {
  const id = "x".repeat(43);

  it("lasts 90 days, with the attributes of the session cookie", () => {
    for (const baseUrl of [https, local]) {
      for (const isEmbedded of [true, false]) {
        const place = { baseUrl, isEmbedded };
        const like = sessionCookie(id, place).replace("sid=", "browser=");
        const expected = like.replace("; ", "; Max-Age=7776000; ");
        expect(browserCookie(id, place)).to.equal(expected);
      }
    }
  });

  it("is read if it has our format", () => {
    expect(browserIdOf(`sid=a; browser=${id}`, local)).to.equal(id);
    expect(browserIdOf(`browser=short; browser=${id}`, local)).to.equal(id);
    expect(browserIdOf(`__Host-browser=${id}`, https)).to.equal(id);
    expect(browserIdOf(`browser=${id}`, https)).to.equal(undefined);
    expect(browserIdOf(`browser=${id}x`, local)).to.equal(undefined);
    expect(browserIdOf(undefined, local)).to.equal(undefined);
  });
});
