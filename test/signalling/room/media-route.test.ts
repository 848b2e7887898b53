import { expect } from "chai";
import { maxPeople, mayFallBack, wantsSfu } from "../../../src/signalling/room/media-route.ts";

describe("the media route of a session", () => {
  it("is a mesh for up to three people, and LiveKit from the fourth", () => {
    const session = { route: "mesh", backend: "auto" } as const;
    expect(wantsSfu({ ...session, people: 3 }, false)).to.equal(false);
    expect(wantsSfu({ ...session, people: 4 }, false)).to.equal(true);
  });

  it("is LiveKit after a mesh failed", () => {
    const session = { route: "mesh", backend: "auto", people: 2 } as const;
    expect(wantsSfu(session, true)).to.equal(true);
  });

  it("follows the setting of the service", () => {
    expect(wantsSfu({ route: "mesh", backend: "livekit", people: 1 }, false)).to.equal(true);
    expect(wantsSfu({ route: "mesh", backend: "mesh", people: 6 }, true)).to.equal(false);
  });

  it("stays LiveKit, and stays a mesh after LiveKit was lost", () => {
    expect(wantsSfu({ route: "livekit", backend: "auto", people: 4 }, true)).to.equal(false);
    expect(wantsSfu({ route: "fallback", backend: "livekit", people: 6 }, true)).to.equal(false);
  });

  it("falls back to a mesh only for as many people as a mesh supports", () => {
    expect(mayFallBack({ route: "livekit", backend: "auto", people: 6 })).to.equal(true);
    expect(mayFallBack({ route: "livekit", backend: "auto", people: 7 })).to.equal(false);
    expect(mayFallBack({ route: "mesh", backend: "auto", people: 2 })).to.equal(false);
  });

  it("admits 50 people if LiveKit is available, else 6", () => {
    expect(maxPeople({ route: "mesh", backend: "auto" }, true)).to.equal(50);
    expect(maxPeople({ route: "livekit", backend: "livekit" }, true)).to.equal(50);
    expect(maxPeople({ route: "fallback", backend: "auto" }, true)).to.equal(6);
    expect(maxPeople({ route: "mesh", backend: "mesh" }, true)).to.equal(6);
    expect(maxPeople({ route: "mesh", backend: "auto" }, false)).to.equal(6);
  });
});
