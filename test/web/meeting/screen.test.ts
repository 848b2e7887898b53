import { expect } from "chai";
import { parseAddress } from "../../../web/meeting/entry/address.ts";
import { screenOf, type DecidingView } from "../../../web/meeting/screen.ts";

const outside: DecidingView = {
  phase: "outside",
  connection: "connected",
  overReason: undefined,
  leaveReason: undefined,
  joinFault: undefined,
  admission: undefined,
  self: undefined,
};

describe("the screen of the meeting page", () => {
  const screen = (view: Partial<DecidingView>) => screenOf("room", { ...outside, ...view });

  it("is the name form until the user enters", () => {
    expect(screenOf("card", outside)).to.equal("card");
    expect(screenOf("entering", outside)).to.equal("connecting");
    expect(screen({})).to.equal("connecting");
    expect(screen({ phase: "joining" })).to.equal("connecting");
    expect(screen({ phase: "in-call" })).to.equal("room");
  });

  it('is "call ended" for an expert whose token ended with the call', () => {
    const self = { role: "expert" } as DecidingView["self"];
    const over = { connection: "over", overReason: "token", phase: "left" } as const;
    expect(screen({ ...over, self })).to.equal("ended");
    expect(screen({ ...over, self, leaveReason: "removed" })).to.equal("removed");
    expect(screen(over), "a guest of a meeting").to.equal("failed");
  });

  it("stays on the room while the connection is restored", () => {
    expect(screen({ phase: "in-call", connection: "reconnecting" })).to.equal("room");
  });

  it("shows the state of a waiting guest", () => {
    const waiting = (admission: DecidingView["admission"]) =>
      screen({ phase: "waiting", admission });
    expect(waiting("waiting")).to.equal("waiting");
    expect(waiting("admitted")).to.equal("connecting");
    expect(waiting("denied")).to.equal("denied");
    expect(waiting("expired")).to.equal("expired");
    expect(waiting("over")).to.equal("ended");
  });

  it("says why the user is outside", () => {
    expect(screen({ phase: "left" })).to.equal("left");
    expect(screen({ phase: "left", leaveReason: "removed" })).to.equal("removed");
    expect(screen({ phase: "left", leaveReason: "elsewhere" })).to.equal("elsewhere");
    expect(screen({ phase: "left", leaveReason: "ended" })).to.equal("ended");
    const refused = (reason: string) =>
      screen({ joinFault: { kind: "forbidden", detail: "", reason } });
    expect(refused("full")).to.equal("full");
    expect(refused("locked")).to.equal("locked");
    expect(refused("denied")).to.equal("removed");
    expect(refused("news")).to.equal("failed");
    expect(screen({ overReason: "room" })).to.equal("ended");
    expect(screen({ overReason: "room", leaveReason: "removed" })).to.equal("removed");
    expect(screen({ phase: "left", overReason: "removed" })).to.equal("removed");
    expect(screen({ phase: "waiting", admission: "denied", overReason: "removed" })).to.equal(
      "denied",
    );
    expect(screen({ overReason: "token" })).to.equal("failed");
  });
});

describe("the address of the meeting page", () => {
  const pathname = "/m/25zw/ab:cd";

  it("recognizes the link of an expert by its secret", () => {
    const { address } = parseAddress({ pathname: "/x/YLeYT96rbpz3AI4Y5ILPy8", search: "" });
    expect(address).to.include({ serviceKey: "", roomName: "YLeYT96rbpz3AI4Y5ILPy8" });
  });

  it("names the room, and drops the token so that it is not copied", () => {
    const search = "?name=Ann%20B&access_token=secret&lang=fr";
    expect(parseAddress({ pathname, search })).to.deep.equal({
      address: { serviceKey: "25zw", roomName: "ab:cd", name: "Ann B", accessToken: "secret" },
      publicPath: `${pathname}?name=Ann+B&lang=fr`,
    });
    expect(parseAddress({ pathname: "/m/25zw/ab%3Acd", search: "?name=" }).address).to.deep.equal({
      ...{ serviceKey: "25zw", roomName: "ab:cd", name: undefined, accessToken: undefined },
    });
  });
});
