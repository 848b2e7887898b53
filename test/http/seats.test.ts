import { expect } from "chai";
import { createSeats } from "../../src/http/seats.ts";

describe("seats", () => {
  it("gives each enterprise so many, and all of them so many", () => {
    const seats = createSeats({ perEnterprise: 2, inAll: 3 });
    const first = seats.take(1);
    expect(seats.take(1)).to.not.equal(undefined);
    expect(seats.take(1)).to.equal(undefined);
    expect(seats.take(2)).to.not.equal(undefined);
    expect(seats.take(2)).to.equal(undefined);
    expect([1, 2, 3].map(seats.taken)).to.deep.equal([2, 1, 0]);
    first?.();
    expect(seats.take(2)).to.not.equal(undefined);
    expect(seats.take(1)).to.equal(undefined);
  });

  it("counts a seat that is given back twice once", () => {
    const seats = createSeats({ perEnterprise: 1, inAll: 2 });
    const give = seats.take(1);
    give?.();
    give?.();
    expect(
      [seats.take(1), seats.take(2), seats.take(3)].map((one) => one !== undefined),
    ).to.deep.equal([true, true, false]);
  });

  it("leaves some of an enterprise's to its other users", () => {
    const seats = createSeats({ perUser: 1, perEnterprise: 3, inAll: 3 });
    const first = seats.take(1, 7);
    expect(seats.take(1, 7)).to.equal(undefined);
    expect(seats.take(1, 8)).to.not.equal(undefined);
    first?.();
    expect(seats.take(1, 7)).to.not.equal(undefined);
  });
});
