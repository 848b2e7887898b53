import { expect } from "chai";
import { estimatedSeconds, loadOf, planOf } from "../../bench/plan.ts";

describe("the plan of a benchmark", () => {
  it("has the default parts unless some are named", () => {
    expect(planOf([]).parts).to.include("throughput").and.not.include("soak");
    expect(planOf(["--only=soak,isolation"]).parts).to.deep.equal(["soak", "isolation"]);
  });

  it("records the command to repeat it", () => {
    expect(planOf([]).command).to.equal("npm run bench");
    expect(planOf(["--quick", "--record"])).to.deep.include({
      ...{ command: "npm run bench -- --quick --record", isRecorded: true, isQuick: true },
    });
  });

  it("accepts the number of rounds, rows and minutes", () => {
    const plan = planOf(["--rounds=9", "--rows=10_000_000", "--minutes=45"]);
    expect(plan).to.include({ historyRows: 10_000_000, soakMinutes: 45, rounds: 3 });
    expect(loadOf(plan, "isolation")).to.equal("full, rounds: 9");
    expect(estimatedSeconds(plan, "isolation")).to.equal(
      3 * estimatedSeconds(planOf([]), "isolation"),
    );
    expect(loadOf(plan, "history-size")).to.equal("full, 10,000,000 rows, rounds: 5");
    expect(loadOf(plan, "soak")).to.equal("full, 45 minutes");
    expect(loadOf(plan, "api")).to.equal("full");
    expect(estimatedSeconds(plan, "soak")).to.be.greaterThan(45 * 60);
  });

  it("rejects unknown options", () => {
    for (const wrong of ["--fast", "--only=all", "--rows=0", "--rows=many", "--minutes=-1"]) {
      expect(() => planOf([wrong]), wrong).to.throw("npm run bench --");
    }
  });
});
