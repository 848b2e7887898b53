import { expect } from "chai";
import { all, containing, countWhere, where } from "../../../src/platform/db/conditions.ts";
import { useDatabase } from "../../support/database.ts";

describe("conditions", () => {
  const database = useDatabase();

  it("are there for what was asked for only, and are joined in order", () => {
    const condition = all([
      ...where("a = ?", 1),
      ...where("b = ?", undefined),
      ...where("c BETWEEN ? AND ?", 2, 3),
      ...where("d BETWEEN ? AND ?", 4, undefined),
    ]);
    expect(condition).to.deep.equal({ sql: "a = ? AND c BETWEEN ? AND ?", bindings: [1, 2, 3] });
  });

  it("find a text inside another, whatever it holds", () => {
    expect(containing("50%_\\")).to.equal("%50\\%\\_\\\\%");
    expect(containing(undefined)).to.equal(undefined);
  });

  it("count what matches", async () => {
    const numbers = "generate_series(1, 10) AS n";
    expect(await countWhere(database.db, numbers, all(where("n > ?", 7)))).to.equal(3);
    expect(await countWhere(database.db, numbers, all(where("n > ?", 70)))).to.equal(0);
  });
});
