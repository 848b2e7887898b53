import { expect } from "chai";
import {
  decideOffer,
  fingerprintOf,
  isPolite,
  sourceOfTrack,
  type OfferInput,
} from "../../../../web/rooms/media/negotiation.ts";

const agent = { id: "b", role: "agent" } as const;
const customer = { id: "a", role: "requestor" } as const;

describe("the polite peer", () => {
  it("is the customer, for any ids", () => {
    expect(isPolite(customer, agent)).to.equal(true);
    expect(isPolite(agent, customer)).to.equal(false);
  });

  it("is the one with the greater id in a meeting", () => {
    const [first, second] = [{ id: "a", role: "organizer" } as const, agent];
    expect(isPolite(first, second)).to.equal(false);
    expect(isPolite(second, first)).to.equal(true);
  });
});

describe("an incoming offer", () => {
  const offer: OfferInput = {
    isPolite: true,
    signalingState: "stable",
    isEstablished: true,
    isNewConnection: false,
  };

  it("is applied if no own offer is pending", () => {
    expect(decideOffer(offer)).to.equal("apply");
    expect(decideOffer({ ...offer, isPolite: false, isEstablished: false })).to.equal("apply");
  });

  it("is ignored by the impolite peer while its own is pending", () => {
    const collision = { ...offer, isPolite: false, signalingState: "have-local-offer" };
    expect(decideOffer(collision)).to.equal("ignore");
    expect(decideOffer({ ...collision, isNewConnection: true })).to.equal("ignore");
  });

  it("wins over the polite peer's own, which is rolled back", () => {
    expect(decideOffer({ ...offer, signalingState: "have-local-offer" })).to.equal("apply");
  });

  it("requires a new connection if a first offer would remain", () => {
    const first = { ...offer, signalingState: "have-local-offer", isEstablished: false };
    expect(decideOffer(first)).to.equal("start-over");
  });

  it("requires a new connection if the other page created one", () => {
    expect(decideOffer({ ...offer, isNewConnection: true })).to.equal("start-over");
  });
});

describe("the fingerprint of a connection", () => {
  it("is read from its description", () => {
    const sdp = "v=0\r\na=group:BUNDLE 0\r\na=fingerprint:sha-256 AB:CD\r\na=setup:actpass\r\n";
    expect(fingerprintOf(sdp)).to.equal("sha-256 AB:CD");
    expect(fingerprintOf("v=0\r\n")).to.equal(undefined);
  });
});

describe("the kind of a track", () => {
  const names = { camera: "one", screen: "two" };

  it("follows from the name of its stream", () => {
    const video = { kind: "video", position: 1 };
    expect(sourceOfTrack({ ...video, streamIds: ["two"] }, names)).to.equal("screen");
    expect(sourceOfTrack({ ...video, position: 2, streamIds: ["one"] }, names)).to.equal("camera");
  });

  it("follows from its position if the stream has no name", () => {
    const video = { kind: "video", streamIds: [] };
    expect(sourceOfTrack({ ...video, position: 1 }, undefined)).to.equal("camera");
    expect(sourceOfTrack({ ...video, position: 2 }, names)).to.equal("screen");
    expect(sourceOfTrack({ kind: "audio", streamIds: ["one"], position: 0 }, names)).to.equal(
      "audio",
    );
  });
});
