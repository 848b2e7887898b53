import { expect } from "chai";
import { ApiProblem } from "../../../web/base/problem.ts";
import { retryBusy, retryTransient } from "../../../web/base/retry.ts";

function triesOf(status: number): number {
  let failures = 0;
  while (failures < 10 && retryBusy.retry(failures, new ApiProblem({ status }))) {
    failures += 1;
  }
  return failures;
}

describe("a query that is limited in concurrency", () => {
  it("is retried while it is rate-limited, for longer than Retry-After", () => {
    const waits = Array.from({ length: triesOf(429) }, (_, failures) =>
      retryBusy.retryDelay(failures),
    );
    const whole = waits.reduce((sum, wait) => sum + wait, 0);
    expect(whole).to.be.within(5_000, 15_000);
    expect(waits[0]).to.be.below(1_000);
  });

  it("is retried after temporary errors, not after rejections or network errors", () => {
    expect([502, 503, 504].map(triesOf)).to.deep.equal([2, 2, 2]);
    expect([0, 400, 401, 403, 404, 500].map(triesOf)).to.deep.equal([0, 0, 0, 0, 0, 0]);
  });

  it("waits as long as Retry-After says", () => {
    const busy = new ApiProblem({ status: 503, retryAfter: 20 });
    expect(retryTransient.retryDelay(0, busy)).to.equal(20_000);
    expect(retryTransient.retryDelay(0, new ApiProblem({ status: 502 }))).to.be.within(500, 1_000);
  });
});
