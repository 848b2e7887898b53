import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";

/** Names one of the tables as SQL does, or hands its name to a statement that is put together. */
const namesTable =
  /\b(?:FROM|JOIN|UPDATE|INTO|USING|TABLE)\s+(?:ONLY\s+)?(?:deliveries|attempts)\b|\btable: "(?:deliveries|attempts)"/u;

const owner = "src/pipeline/ledger/";

/** Files outside of the ledger that may name the tables, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "src/pipeline/schedule/retention-settings.ts":
    "lists the tables that have a partition for each day, for the DDL of partitions.ts",
};

describe("the SQL on deliveries and attempts", () => {
  const found: string[] = [];

  before("read the sources", async () => {
    for (const file of await listFiles(["src", "workers"])) {
      if (namesTable.test(await readFile(file, "utf8"))) {
        found.push(file);
      }
    }
  });

  it("is the ledger's alone, but for the exceptions that are listed here", () => {
    const outside = found.filter((file) => !file.startsWith(owner));
    expect(outside).to.have.members(Object.keys(exceptions));
  });

  it("is found where it is", () => {
    expect(found.filter((file) => file.startsWith(owner))).to.have.length.above(10);
  });
});
