import { expect } from "chai";
import { ApiProblem, asProblem, pageFault } from "../../../web/base/problem.ts";

describe("a problem shown by a page", () => {
  it("is the problem of the API, unchanged", () => {
    const problem = new ApiProblem({ status: 409, code: 11 });
    expect(asProblem(problem)).to.equal(problem);
  });

  it("is an error of the page if no API call failed, and never a lost connection", () => {
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
