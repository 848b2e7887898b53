import { expect } from "chai";
import { pretty } from "../../../web/shared/pretty.ts";
import { promised } from "../../support/promised.ts";

describe("formatted bodies", () => {
  it("are those that are JSON", () => {
    expect(pretty("{")).to.equal(undefined);
    expect(pretty('{"a":[1]}')).to.equal('{\n  "a": [\n    1\n  ]\n}');
  });

  it("are left as they are if they are too large", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(pretty(nested(100))).to.be.a("string");
    for (const depth of [2_000, 5_000, 100_000]) {
      expect(pretty(nested(depth)), String(depth)).to.equal(undefined);
    }
    expect(pretty(`[${"1,".repeat(100_000)}1]`)).to.equal(undefined);
    // Brackets within strings do not count.
    expect(pretty(JSON.stringify({ a: '[{,"'.repeat(50_000) }))).to.be.a("string");
  });

  it("are detected fast if they are not JSON", () => {
    const startedAt = performance.now();
    expect(pretty(`"${'\\"'.repeat(100_000)}`)).to.equal(undefined);
    expect(performance.now() - startedAt).to.be.lessThan(promised(1_000));
  });
});
