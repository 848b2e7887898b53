import { expect } from "chai";
import { validate, version } from "uuid";
import { isCanonicalUuid, isUuid, randomIds } from "../../src/platform/ids.ts";

describe("ids of events", () => {
  it("are UUIDs v7, unique, and in the order in which they were made", () => {
    const ids = Array.from({ length: 5_000 }, () => randomIds.eventId());
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.toSorted()).to.deep.equal(ids);
    for (const id of ids) {
      const uuid = id.replace(/^evt_/u, "");
      expect(validate(uuid) && version(uuid) === 7, id).to.equal(true);
    }
  });

  it("carry the time", () => {
    const before = Date.now();
    const ms = Number.parseInt(
      randomIds
        .eventId()
        .replace(/^evt_|-/gu, "")
        .slice(0, 12),
      16,
    );
    expect(ms).to.be.within(before, Date.now());
  });

  it("differ in their random part", () => {
    const parts = Array.from({ length: 1_000 }, () => randomIds.eventId().slice(-10));
    expect(new Set(parts).size).to.equal(parts.length);
  });
});

describe("a UUID", () => {
  const upper = randomIds.uuid().toUpperCase();

  it("is accepted from clients in any case", () => {
    expect([upper, upper.toLowerCase()].map(isUuid)).to.deep.equal([true, true]);
  });

  it("is canonical in lower case only", () => {
    expect([upper, upper.toLowerCase()].map(isCanonicalUuid)).to.deep.equal([false, true]);
  });

  it("has 32 digits in five groups", () => {
    const wrong = [upper.replaceAll("-", ""), `${upper}0`, `{${upper}}`, upper.replace(/^./u, "g")];
    expect(wrong.filter(isUuid)).to.deep.equal([]);
  });
});
