import { expect } from "chai";
import { failures } from "../../../src/pipeline/delivery/failures.ts";
import { attemptResults, everything, wayOf } from "../../../src/webhooks/log/filter.ts";

describe("filters of the delivery log", () => {
  it("know every way in which an attempt can end", () => {
    const classes = ["1xx", "2xx", "3xx", "4xx", "5xx"];
    expect(attemptResults).to.have.members([...classes, ...failures, "interrupted"]);
  });

  it("look among the few where the states are those of few, else newest first", () => {
    const few = wayOf({ ...everything, states: ["retry", "dead"] });
    expect(few).to.deep.include({ few: "live", beside: { kind: "given_up", values: ["dead"] } });
    expect(few.otherwise.kind).to.equal("all");
    expect(wayOf({ ...everything, states: ["retry", "delivered"] }).few).to.equal(undefined);
    expect(wayOf({ ...everything, states: ["dead"] })).to.deep.include({ few: undefined });
  });

  it("never leave out what succeeded where it is asked for beside failures", () => {
    expect(wayOf({ ...everything, results: ["5xx"] }).otherwise.kind).to.equal("failed");
    expect(wayOf({ ...everything, results: ["5xx", "2xx"] }).otherwise.kind).to.equal("all");
  });
});
