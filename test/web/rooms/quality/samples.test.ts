import { expect } from "chai";
import {
  countersOf,
  isEstablished,
  sampleOf,
  type StatsEntry,
} from "../../../../web/rooms/quality/samples.ts";

const inbound = (more: Partial<StatsEntry>): StatsEntry => ({ type: "inbound-rtp", ...more });

describe("connection statistics", () => {
  it("are the difference of two reports", () => {
    const before = countersOf([inbound({ packetsReceived: 100, packetsLost: 0 })], 0);
    const entries: StatsEntry[] = [
      inbound({ packetsReceived: 190, packetsLost: 10, bytesReceived: 250_000 }),
      {
        type: "candidate-pair",
        nominated: true,
        state: "succeeded",
        currentRoundTripTime: 0.05,
        availableOutgoingBitrate: 900_000,
      },
      { type: "remote-inbound-rtp", fractionLost: 0.02 },
    ];
    expect(sampleOf(entries, before, countersOf(entries, 2_000))).to.deep.equal({
      rttMs: 50,
      loss: 0.1,
      receivedBitrate: 1_000_000,
      sendableBitrate: 900_000,
    });
  });

  it("use the loss of the worse direction", () => {
    const none = countersOf([], 0);
    const entries = [{ type: "remote-inbound-rtp", fractionLost: 0.3, roundTripTime: 0.4 }];
    const sample = sampleOf(entries, none, countersOf(entries, 2_000));
    expect(sample).to.include({ loss: 0.3, rttMs: 400 });
  });

  it("ignore reports of the peer from before the interval", () => {
    const none = countersOf([], 0);
    const entries = [
      { type: "candidate-pair", timestamp: 60_000, availableOutgoingBitrate: 200_000 },
      { type: "remote-inbound-rtp", timestamp: 59_000, fractionLost: 0.01 },
      { type: "remote-inbound-rtp", timestamp: 57_000, fractionLost: 0.3 },
    ];
    expect(sampleOf(entries, none, countersOf(entries, 2_000)).loss).to.equal(0.01);
  });

  it("are never negative after a new connection", () => {
    const before = countersOf([inbound({ packetsReceived: 500, bytesReceived: 9_000 })], 0);
    const sample = sampleOf([], before, countersOf([], 2_000));
    expect(sample).to.include({ loss: 0, receivedBitrate: 0 });
  });
});

describe("an established call", () => {
  it("has decoded frames, or audio that was received", () => {
    expect(isEstablished(countersOf([inbound({ framesDecoded: 1 })], 0))).to.equal(true);
    const sound = inbound({ totalSamplesReceived: 480, bytesReceived: 60 });
    expect(isEstablished(countersOf([sound], 0))).to.equal(true);
    const silence = inbound({ totalSamplesReceived: 480, bytesReceived: 0 });
    expect(isEstablished(countersOf([silence], 0))).to.equal(false);
  });
});
