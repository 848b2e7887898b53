import { expect } from "chai";
import { createTenantSemaphore } from "../../../src/platform/concurrency/tenant-semaphore.ts";

describe("seats", () => {
  it("gives each enterprise so many, and all of them so many", () => {
    const seats = createTenantSemaphore({ perEnterprise: 2, inAll: 3 });
    const first = seats.tryAcquire(1);
    expect(seats.tryAcquire(1)).to.not.equal(undefined);
    expect(seats.tryAcquire(1)).to.equal(undefined);
    expect(seats.tryAcquire(2)).to.not.equal(undefined);
    expect(seats.tryAcquire(2)).to.equal(undefined);
    expect([1, 2, 3].map(seats.inUse)).to.deep.equal([2, 1, 0]);
    first?.();
    expect(seats.tryAcquire(2)).to.not.equal(undefined);
    expect(seats.tryAcquire(1)).to.equal(undefined);
  });

  it("counts a seat that is given back twice once", () => {
    const seats = createTenantSemaphore({ perEnterprise: 1, inAll: 2 });
    const give = seats.tryAcquire(1);
    give?.();
    give?.();
    expect(
      [seats.tryAcquire(1), seats.tryAcquire(2), seats.tryAcquire(3)].map(
        (one) => one !== undefined,
      ),
    ).to.deep.equal([true, true, false]);
  });

  it("leaves some of an enterprise's to its other users", () => {
    const seats = createTenantSemaphore({ perUser: 1, perEnterprise: 3, inAll: 3 });
    const first = seats.tryAcquire(1, 7);
    expect(seats.tryAcquire(1, 7)).to.equal(undefined);
    expect(seats.tryAcquire(1, 8)).to.not.equal(undefined);
    first?.();
    expect(seats.tryAcquire(1, 7)).to.not.equal(undefined);
  });
});
