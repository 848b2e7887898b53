import { expect } from "chai";

import {
  describe as describeRequestIn,
  isExact,
  isMasked,
  sizeOf,
  standingOf as standingIn,
  whyNotVerified as whyNotVerifiedIn,
  type InboxRequest,
} from "../../../web/inbox/format.ts";
import en from "../../../web/inbox/texts/en.json" with { type: "json" };
import fr from "../../../web/inbox/texts/fr.json" with { type: "json" };

function describeRequest(one: InboxRequest) {
  return describeRequestIn(one, en);
}
function standingOf(one: InboxRequest) {
  return standingIn(one, en);
}
function whyNotVerified(one: InboxRequest) {
  return whyNotVerifiedIn(one, en);
}

function request(
  body: unknown,
  headers: [string, string][] = [],
  more: Partial<InboxRequest> = {},
): InboxRequest {
  return {
    id: 1,
    received: "2026-11-20T11:30:00.000Z",
    verified: false,
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...more,
  };
}

describe("texts of the inbox page", () => {
  it("name an event by object and event, and a timeline entry by its type and ticket", () => {
    const ticket = { object: "ticket", event: "create", objectId: 1000, props: { state: "new" } };
    expect(describeRequest(request(ticket))).to.deep.equal({
      title: "ticket.create",
      about: "ticket 1000",
    });
    const props = { eventType: "ticket.new", ticketId: 1000 };
    const entry = { object: "conversationevent", event: "create", objectId: 912, props };
    expect(describeRequest(request(entry))).to.deep.equal({
      title: "ticket.new",
      about: "timeline of ticket 1000",
    });
  });

  it("accept any other body", () => {
    for (const body of ["", "x", "null", "[]", "7", '{"object":1,"event":2}', '"text"']) {
      const shown = describeRequest(request(body, [["Content-Type", "text/plain"]]));
      expect(shown, body).to.deep.equal({ title: "Other request", about: "text/plain" });
    }
  });

  it("show ids that are numbers or strings, and omit other values", () => {
    const event = { object: "ticket", event: "create" };
    const aboutOf = (body: object): string => describeRequest(request(body)).about;
    expect(aboutOf({ ...event, objectId: "t-7" })).to.equal("ticket t-7");
    for (const odd of [{ toString: 1, valueOf: 1 }, [[]], null, true, undefined]) {
      expect(aboutOf({ ...event, objectId: odd })).to.equal("ticket");
      const entry = { ...event, object: "conversationevent" };
      const props = { eventType: "ticket.new", ticketId: odd };
      expect(aboutOf({ ...entry, props })).to.equal("timeline of ticket");
      expect(aboutOf({ ...event, props: odd, objectId: 1 })).to.equal("ticket 1");
    }
  });

  it("are truncated, even within long words", () => {
    const long = "x".repeat(200_000);
    const shown = describeRequest(request({ object: long, event: long, objectId: long }));
    expect(JSON.stringify(shown).length).to.be.lessThan(600);
  });

  it("mark bodies that are not the exact bytes, and headers without stored values", () => {
    expect(isExact("{é}")).to.equal(true);
    expect(isExact("{\uFFFD}")).to.equal(false);
    expect(isMasked(["X-Key", "••••"])).to.equal(true);
    expect(isMasked(["Host", "a"])).to.equal(false);
  });

  it("show the sequence, and the attempt from the second on", () => {
    const headers = (attempt: string): [string, string][] => [
      ["Webhook-Sequence", "7"],
      ["webhook-attempt", attempt],
    ];
    expect(standingOf(request("", headers("1")))).to.deep.equal(["#7"]);
    expect(standingOf(request("", headers("2")))).to.deep.equal(["#7", "attempt 2"]);
    expect(standingOf(request(""))).to.deep.equal([]);
  });

  it("say why a request is not verified", () => {
    const seconds = Date.parse("2026-11-20T11:30:00Z") / 1000;
    const headers = (timestamp: number): [string, string][] => [
      ["webhook-signature", "v1,AAAA"],
      ["webhook-timestamp", String(timestamp)],
    ];
    expect(whyNotVerified(request("", [], { verified: null }))).to.contain("has no secret");
    expect(whyNotVerified(request(""))).to.contain("no webhook-signature header");
    expect(whyNotVerified(request("", headers(seconds - 600)))).to.contain(
      "differs from the arrival time by 10 min",
    );
    expect(whyNotVerified(request("", headers(seconds - 10)))).to.contain("does not match");
  });

  it("show the size of a body, or that there is none", () => {
    expect(sizeOf("", "en")).to.equal(undefined);
    expect(sizeOf("é", "en")).to.equal("2 B");
    expect(sizeOf("x".repeat(1_536), "en")).to.equal("1.5 KB");
    expect(sizeOf("x".repeat(1_536), "fr")).to.equal("1,5 Ko");
  });

  it("are available in French", () => {
    const entry = { object: "conversationevent", event: "create", objectId: 9 };
    const props = { eventType: "ticket.new", ticketId: 1000 };
    const one = request({ ...entry, props }, [["webhook-attempt", "2"]]);
    expect(describeRequestIn(one, fr).about).to.equal("historique du ticket 1000");
    expect(standingIn(one, fr)).to.deep.equal(["tentative 2"]);
    expect(whyNotVerifiedIn(one, fr)).to.contain("webhook-signature");
  });
});
