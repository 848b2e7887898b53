import { expect } from "chai";
import { createTenantSemaphore } from "../../../src/platform/concurrency/limiters.ts";

describe("a tenant semaphore", () => {
  it("limits each tenant and the process", () => {
    const semaphore = createTenantSemaphore({ perTenant: 2, total: 3 });
    const first = semaphore.tryAcquire(1);
    expect(semaphore.tryAcquire(1)).to.not.equal(undefined);
    expect(semaphore.tryAcquire(1)).to.equal(undefined);
    expect(semaphore.tryAcquire(2)).to.not.equal(undefined);
    expect(semaphore.tryAcquire(2)).to.equal(undefined);
    expect([1, 2, 3].map(semaphore.inUse)).to.deep.equal([2, 1, 0]);
    first?.();
    expect(semaphore.tryAcquire(2)).to.not.equal(undefined);
    expect(semaphore.tryAcquire(1)).to.equal(undefined);
  });

  it("counts a permit that is released twice once", () => {
    const semaphore = createTenantSemaphore({ perTenant: 1, total: 2 });
    const release = semaphore.tryAcquire(1);
    release?.();
    release?.();
    expect(
      [semaphore.tryAcquire(1), semaphore.tryAcquire(2), semaphore.tryAcquire(3)].map(
        (one) => one !== undefined,
      ),
    ).to.deep.equal([true, true, false]);
  });

  it("limits each user of a tenant", () => {
    const semaphore = createTenantSemaphore({ perUser: 1, perTenant: 3, total: 3 });
    const first = semaphore.tryAcquire(1, 7);
    expect(semaphore.tryAcquire(1, 7)).to.equal(undefined);
    expect(semaphore.tryAcquire(1, 8)).to.not.equal(undefined);
    first?.();
    expect(semaphore.tryAcquire(1, 7)).to.not.equal(undefined);
  });
});
