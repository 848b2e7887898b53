import type { ParticipantRole } from "../../src/contracts/rooms.ts";
import { expect } from "chai";
import { computeTotals } from "../../src/rooms/model.ts";

function at(seconds: number): Date {
  return new Date(Date.UTC(2026, 10, 20, 10) + seconds * 1_000);
}

function participation(participant: string, role: ParticipantRole, from: number, to: number) {
  return {
    participant,
    role,
    joinedAt: at(from),
    leftAt: at(to),
  };
}

describe("totals of a session", () => {
  it("bills started minutes of presence, and sums whole seconds", () => {
    const participations = [
      participation("a", "agent", 0, 100.9),
      participation("c", "requestor", 30, 121),
    ];
    expect(computeTotals(participations)).to.deep.equal({
      finishedAt: at(121),
      billingSeconds: 180,
      bothSeconds: 70,
      participantCount: 2,
    });
  });

  it("counts somebody who came and went as often as the limits allow", () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => participation("a", "agent", n, n + 0.5));
    expect(computeTotals(rows).finishedAt).to.deep.equal(at(199_999.5));
  });

  it("bills a full minute as one", () => {
    const rows = [participation("a", "agent", 0, 60), participation("c", "requestor", 0, 60)];
    expect(computeTotals(rows).billingSeconds).to.equal(60);
  });

  it("bills nothing if only one person ever joined, however often", () => {
    expect(
      computeTotals([participation("a", "agent", 0, 100), participation("a", "agent", 200, 300)]),
    ).to.deep.equal({
      finishedAt: at(300),
      billingSeconds: 0,
      bothSeconds: 0,
      participantCount: 1,
    });
  });

  it("bills two people who were never there at the same time, but not the time of an empty room", () => {
    const participations = [
      participation("a", "agent", 0, 60),
      participation("c", "requestor", 240, 300),
    ];
    expect(computeTotals(participations)).to.include({ billingSeconds: 120, bothSeconds: 0 });
  });

  it("counts time with two agents and the customer once", () => {
    const participations = [
      participation("a", "agent", 0, 50),
      participation("b", "agent", 40, 100),
      participation("c", "requestor", 10, 90),
    ];
    expect(computeTotals(participations)).to.include({ bothSeconds: 80, participantCount: 3 });
  });

  it("has no sides in a meeting", () => {
    const participations = [
      participation("a", "organizer", 0, 50),
      participation("b", "participant", 0, 50),
    ];
    expect(computeTotals(participations)).to.include({ bothSeconds: 0, billingSeconds: 60 });
  });
});
