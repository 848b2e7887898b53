import { expect } from "chai";
import { allOf, likePattern, countWhere, where } from "../../../src/platform/db/where.ts";
import { useDatabase } from "../../support/database.ts";

describe("WHERE conditions", () => {
  const database = useDatabase();

  it("exist for defined values only, and are joined in order", () => {
    const condition = allOf([
      ...where("a = ?", 1),
      ...where("b = ?", undefined),
      ...where("c BETWEEN ? AND ?", 2, 3),
      ...where("d BETWEEN ? AND ?", 4, undefined),
    ]);
    expect(condition).to.deep.equal({ sql: "a = ? AND c BETWEEN ? AND ?", bindings: [1, 2, 3] });
  });

  it("find a substring with any characters", () => {
    expect(likePattern("50%_\\")).to.equal("%50\\%\\_\\\\%");
    expect(likePattern(undefined)).to.equal(undefined);
  });

  it("count what matches", async () => {
    const numbers = "generate_series(1, 10) AS n";
    expect(await countWhere(database.db, numbers, allOf(where("n > ?", 7)))).to.equal(3);
    expect(await countWhere(database.db, numbers, allOf(where("n > ?", 70)))).to.equal(0);
  });
});
