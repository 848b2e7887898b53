import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";

/** Names one of the tables in SQL, or passes its name to a function that builds a statement. */
const namesTable =
  /\b(?:FROM|JOIN|UPDATE|INTO|USING|TABLE)\s+(?:ONLY\s+)?(?:deliveries|attempts)\b|\btable: "(?:deliveries|attempts)"/u;

const owner = "src/pipeline/ledger/";

/** Imports conditions or SET clauses on delivery states, from which such statements are built. */
const buildsStatement = /from "[^"]*\/state-sql\.ts"/u;

describe("the SQL on deliveries and attempts", () => {
  const found: string[] = [];

  before("read the sources", async () => {
    for (const file of await listFiles(["src", "workers"])) {
      const source = await readFile(file, "utf8");
      if (namesTable.test(source) || buildsStatement.test(source)) {
        found.push(file);
      }
    }
  });

  it("is in the ledger only", () => {
    expect(found.filter((file) => !file.startsWith(owner))).to.deep.equal([]);
  });

  it("is found in the ledger", () => {
    expect(found.filter((file) => file.startsWith(owner))).to.have.length.above(10);
  });
});
