import { expect } from "chai";
import { errorCodeOf } from "../../src/platform/errors.ts";

describe("errorCodeOf", () => {
  const full = Object.assign(new Error("No space left on device"), { code: "53100" });
  const table: [what: string, thrown: unknown, code: string | undefined][] = [
    ["an error", full, "53100"],
    [
      "the cause of an error",
      new Error("the database accepts no writes", { cause: full }),
      "53100",
    ],
    ["what has none", new Error("no room", { cause: new Error("why") }), undefined],
    ["what is no error", "no room", undefined],
  ];
  for (const [what, thrown, code] of table) {
    it(`finds the code of ${what}`, () => {
      expect(errorCodeOf(thrown)).to.equal(code);
    });
  }
});
