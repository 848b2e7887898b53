import { expect } from "chai";
import type { Problem } from "../../src/contracts/problems.ts";
import { authorize, bearerToken, reachOf } from "../../src/http/authorize.ts";
import { testCaller } from "../support/api.ts";

function kindOf(call: () => unknown): string {
  try {
    call();
  } catch (thrown) {
    return (thrown as Problem).kind;
  }
  return "none";
}

const route = { permission: "users.read", family: "solution" } as const;

describe("authorize", () => {
  it("returns the reach of a role's permission", () => {
    expect(reachOf("viewer", "tickets.read")).to.equal("group");
    expect(reachOf("agent", "tickets.write")).to.equal("own");
    expect(reachOf("integration", "webhooks.write")).to.equal("all");
    expect(reachOf("viewer", "tickets.write")).to.equal(undefined);
  });

  it("returns the reach of the route's permission", () => {
    const who = { caller: testCaller({ role: "manager" }), hasSolution: true };
    expect(authorize(who, route)).to.equal("all");
  });

  it("rejects a role without the permission", () => {
    const who = { caller: testCaller({ role: "agent" }), hasSolution: true };
    expect(kindOf(() => authorize(who, route))).to.equal("forbidden");
  });

  it("rejects platform accounts on solution routes before it checks the role", () => {
    const caller = testCaller({ role: "viewer", accountType: "platform" });
    expect(kindOf(() => authorize({ caller, hasSolution: true }, route))).to.equal("feature_off");
  });

  it("rejects enterprises without the solution on its routes", () => {
    const who = { caller: testCaller(), hasSolution: false };
    expect(kindOf(() => authorize(who, route))).to.equal("feature_off");
  });

  it("allows both on platform routes", () => {
    const caller = testCaller({ accountType: "platform" });
    const platform = { permission: "authenticated", family: "platform" } as const;
    expect(authorize({ caller, hasSolution: false }, platform)).to.equal("own");
  });

  for (const [header, token] of [
    ["Bearer abc", "abc"],
    ["bearer   abc", "abc"],
    ["Basic abc", undefined],
    ["Bearer", undefined],
    ["Bearer ", undefined],
    ["Bearer a b", undefined],
    [undefined, undefined],
  ] as const) {
    it(`reads ${token ?? "no token"} from the header "${header ?? ""}"`, () => {
      expect(bearerToken(header)).to.equal(token);
    });
  }
});
