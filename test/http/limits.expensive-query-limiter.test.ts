import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { createExpensiveQueryLimiter } from "../../src/http/limits.ts";

describe("the limiter of expensive queries", () => {
  it("answers rate_limited with Retry-After when it is busy", async () => {
    const limit = createExpensiveQueryLimiter();
    const ends: (() => void)[] = [];
    const query = () => limit(1, () => new Promise<void>((resolve) => ends.push(resolve)));
    const queued = Array.from({ length: 22 }, query);
    const thrown = await query().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Problem);
    const { kind, headers } = thrown as Problem;
    expect([kind, headers["Retry-After"]]).to.deep.equal(["rate_limited", "5"]);
    for (let index = 0; index < queued.length; index += 1) {
      ends[index]?.();
      await queued[index];
    }
  });
});
