import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { rotate, validAt } from "../../src/subscriptions/signing-keys.ts";

const now = new Date("2026-11-22T12:00:00Z");
function inHours(hours: number): string {
  return new Date(now.getTime() + hours * 3_600_000).toISOString();
}
const next = { name: "next", until: null };

describe("rotation", () => {
  it("puts the new one first, and lets the old one sign until the overlap ends", () => {
    const after = rotate([{ name: "old", until: null }], next, { now, overlapHours: 24 });
    expect(after).to.deep.equal([next, { name: "old", until: inHours(24) }]);
    expect(validAt(after, new Date(inHours(23.99)))).to.have.length(2);
    expect(validAt(after, new Date(inHours(24)))).to.deep.equal([next]);
  });

  it("without an overlap ends all others at once", () => {
    const held = [
      { name: "old", until: null },
      { name: "older", until: inHours(5) },
    ];
    expect(rotate(held, next, { now, overlapHours: 0 })).to.deep.equal([next]);
  });

  it("removes expired ones, and never extends an old one", () => {
    const held = [
      { name: "old", until: null },
      { name: "older", until: inHours(5) },
      { name: "long", until: inHours(100) },
      { name: "over", until: inHours(-1) },
    ];
    expect(rotate(held, next, { now, overlapHours: 24 })).to.deep.equal([
      next,
      { name: "old", until: inHours(24) },
      { name: "older", until: inHours(5) },
      { name: "long", until: inHours(24) },
    ]);
  });

  it("allows at most five at once", () => {
    const rotateTo = (count: number): unknown[] =>
      rotate(
        Array.from({ length: count }, (_, index) => ({
          name: `${index}`,
          until: index === 0 ? null : inHours(1),
        })),
        next,
        { now, overlapHours: 24 },
      );
    expect(rotateTo(4)).to.have.length(5);
    expect(() => rotateTo(5))
      .to.throw(Problem)
      .with.property("kind", "conflict");
  });
});
