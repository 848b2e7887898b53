import { expect } from "chai";
import { toJsonRuns } from "../../../web/shared/json-runs.ts";

describe("JSON syntax highlighting", () => {
  it("distinguishes keys, strings, numbers and keywords, and keeps every character", () => {
    const json = JSON.stringify({ 'a"b': ["x: 1", -1.5e-7, true, null], c: {} }, null, 2);
    const runs = toJsonRuns(json) ?? [];
    expect(runs.map(({ text }) => text).join("")).to.equal(json);
    const coloured = runs.filter(({ kind }) => kind !== "sign");
    expect(coloured.map(({ kind, text }) => [kind, text])).to.deep.equal([
      ["key", '"a\\"b"'],
      ["string", '"x: 1"'],
      ["number", "-1.5e-7"],
      ["word", "true"],
      ["word", "null"],
      ["key", '"c"'],
    ]);
  });

  it("leaves large texts unhighlighted", () => {
    const json = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => n));
    expect(toJsonRuns(json)).to.equal(undefined);
    expect(toJsonRuns("[]")).to.deep.equal([{ kind: "sign", text: "[]" }]);
  });
});
