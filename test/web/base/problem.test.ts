import { expect } from "chai";
import { ApiProblem, asProblem, pageFault } from "../../../web/base/problem.ts";

describe("a fault that a page tells", () => {
  it("is the API's own, as it is", () => {
    const problem = new ApiProblem({ status: 409, code: 11 });
    expect(asProblem(problem)).to.equal(problem);
  });

  it("is the page's where no call of the API is at fault, and never a lost connection", () => {
    expect(asProblem(new RangeError("Invalid language tag"))).to.include({
      status: pageFault,
      code: pageFault,
      message: "Invalid language tag",
    });
    expect(asProblem("thrown as text")).to.include({
      status: pageFault,
      message: "thrown as text",
    });
  });
});
