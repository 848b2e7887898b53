import { expect } from "chai";
import { reachOfCaller, requireOwnTicket, requireTicketRoute } from "../../src/http/authorize.ts";
import type { Caller, Method } from "../../src/http/route.ts";

const onlyTicketIds: Caller["onlyTicketIds"] = [7];
const caller = { enterpriseId: 1, onlyTicketIds } as Caller;

type Parts = { params?: unknown; query?: unknown; body?: unknown };

async function outcomeOf(method: Method, path: string, parts: Parts = {}, who = caller) {
  const route = { method, path };
  const findTicketOfMedia = async (_: number, mediaId: number) => (mediaId === 70 ? 7 : undefined);
  try {
    requireTicketRoute(who, route);
    const input = { caller: who, params: {}, query: {}, body: {}, ...parts };
    await requireOwnTicket({ findTicketOfMedia }, route, input);
    return "allowed";
  } catch (thrown) {
    return String((thrown as { kind?: unknown }).kind);
  }
}

describe("a session that reaches the tickets of its `sso_url`s", () => {
  it("reaches that ticket, its files and its conversation", async () => {
    const own: [Method, string, Parts?][] = [
      ["GET", "/browser-session"],
      ["GET", "/tickets/{ticketId}", { params: { ticketId: 7 } }],
      ["POST", "/tickets/{ticketId}/room-token", { params: { ticketId: 7 } }],
      ["PUT", "/tickets/{ticketId}/agent", { params: { ticketId: 7 } }],
      ["GET", "/tickets/{ticketId}/colleagues", { params: { ticketId: 7 } }],
      ["POST", "/tickets/{ticketId}/experts", { params: { ticketId: 7 } }],
      ["GET", "/medias", { query: { ticketId: 7 } }],
      ["POST", "/medias", { body: { ticketId: 7 } }],
      ["POST", "/medias/{mediaId}/ocr", { params: { mediaId: 70 } }],
    ];
    for (const [method, path, parts] of own) {
      expect(await outcomeOf(method, path, parts), `${method} ${path}`).to.equal("allowed");
    }
  });

  it("reaches each of several tickets, and no other", async () => {
    const both = { ...caller, onlyTicketIds: [7, 9] };
    const at = (ticketId: number) =>
      outcomeOf("GET", "/tickets/{ticketId}", { params: { ticketId } }, both);
    expect([await at(7), await at(9), await at(8)]).to.deep.equal([
      "allowed",
      "allowed",
      "forbidden",
    ]);
  });

  it("may transfer its own ticket, and decide on none", () => {
    expect(reachOfCaller({ ...caller, role: "manager" }, "tickets.transfer")).to.equal("own");
    expect(reachOfCaller({ ...caller, role: "agent" }, "tickets.transfer")).to.equal("own");
    expect(reachOfCaller({ ...caller, role: "viewer" }, "tickets.transfer")).to.equal(undefined);
    expect(reachOfCaller({ ...caller, role: "admin" }, "tickets.assign")).to.equal(undefined);
    expect(reachOfCaller({ ...caller, role: "admin" }, "users.read")).to.equal(undefined);
  });

  it("reaches nothing else", async () => {
    const others: [Method, string, Parts?][] = [
      ["GET", "/tickets"],
      ["GET", "/users/me"],
      ["POST", "/users/me/api-tokens"],
      ["GET", "/tickets/{ticketId}", { params: { ticketId: 8 } }],
      ["GET", "/medias"],
      ["GET", "/medias", { query: { ticketId: 8 } }],
      ["POST", "/medias/{mediaId}/ocr", { params: { mediaId: 71 } }],
      ["DELETE", "/medias/{mediaId}", { params: { mediaId: 70 } }],
    ];
    for (const [method, path, parts] of others) {
      expect(await outcomeOf(method, path, parts), `${method} ${path}`).to.equal("forbidden");
    }
  });

  it("changes nothing for other callers", async () => {
    const usual = { enterpriseId: 1 } as Caller;
    expect(await outcomeOf("GET", "/tickets", {}, usual)).to.equal("allowed");
  });
});
