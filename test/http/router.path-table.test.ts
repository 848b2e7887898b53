import { expect } from "chai";
import { createPathTable, type MountedRoute } from "../../src/http/router.ts";

const find = createPathTable<MountedRoute>([
  { method: "GET", path: "/tickets/{ticketId}" },
  { method: "PATCH", path: "/tickets/{ticketId}" },
  { method: "GET", path: "/tickets/{ticketId}/events" },
  { method: "GET", path: "/users/{userId}" },
  { method: "GET", path: "/users/me" },
  { method: "POST", path: "/token" },
  { method: "POST", path: "/users", aliases: ["/createUser"] },
  { method: "GET", path: "/services/{serviceId}/user-groups" },
]);

function pathOf(path: string): string | undefined {
  return [...(find(path)?.methods.values() ?? [])][0]?.path;
}

describe("path table", () => {
  for (const [path, found] of [
    ["/tickets/12", "/tickets/{ticketId}"],
    ["/ticket/12", "/tickets/{ticketId}"],
    ["/v2/tickets/12", "/tickets/{ticketId}"],
    ["/v3/ticket/12/", "/tickets/{ticketId}"],
    ["/tickets/12/events", "/tickets/{ticketId}/events"],
    ["/ticket/12/event", "/tickets/{ticketId}/events"],
    ["/users/me", "/users/me"],
    ["/user/me", "/users/me"],
    ["/users/meme", "/users/{userId}"],
    ["/authentication", "/token"],
    ["/users", "/users"],
    ["/createUser", "/users"],
    ["/v3/createUser", "/users"],
    ["/service/1/user-group", "/services/{serviceId}/user-groups"],
  ] as const) {
    it(`finds ${found} at ${path}`, () => {
      expect(pathOf(path)).to.equal(found);
    });
  }

  for (const path of [
    "/",
    "",
    "/tickets",
    "/tickets//events",
    "/createuser",
    "/createUser/1",
    "/v4/tickets/12",
    "/v2/v3/tickets/12",
    "/Tickets/12",
    "/tickets/12//",
    "/constructor/12",
    "/__proto__/12",
  ]) {
    it(`finds nothing at "${path}"`, () => {
      expect(find(path)).to.equal(undefined);
    });
  }

  it("returns every method of a path, and its parameters undecoded", () => {
    const match = find("/tickets/a%20b");
    expect([...(match?.methods.keys() ?? [])]).to.deep.equal(["GET", "PATCH"]);
    expect(match?.rawParams).to.deep.equal({ ticketId: "a%20b" });
  });

  it("rejects two operations with the same method and path, even by alias", () => {
    const twice = [
      { method: "GET", path: "/tickets/{id}" },
      { method: "GET", path: "/ticket/{ticketId}" },
    ] as const;
    expect(() => createPathTable(twice)).to.throw("Two operations");
  });
});
