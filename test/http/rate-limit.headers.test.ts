import { expect } from "chai";
import { limitHeaders, rateLimited } from "../../src/http/rate-limit.ts";

describe("the headers of a rate limit", () => {
  it("report the limit, and Retry-After on rejection", () => {
    const verdict = { isAllowed: false, limit: 60, remaining: 0, resetSeconds: 12 };
    expect(limitHeaders(verdict)).to.deep.equal({
      "X-RateLimit-Limit": "60",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": "12",
    });
    const problem = rateLimited(verdict);
    expect(problem.headers["Retry-After"]).to.equal("12");
    expect(problem.message).to.equal("Too many requests. Try again in 12 s.");
  });
});
