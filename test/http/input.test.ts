import { expect } from "chai";
import fc from "fast-check";
import { Problem, problemCatalogue } from "../../src/contracts/problems.ts";
import { decodeParams, parseBody, parseForm } from "../../src/http/input.ts";

const json = (text: string | Uint8Array) =>
  parseBody(typeof text === "string" ? Buffer.from(text) : text, "application/json", "json");

const faultOf = (call: () => unknown): Problem => {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof Problem) {
      return thrown;
    }
    throw thrown;
  }
  throw new Error("Nothing was refused");
};

const deep = (levels: number): string => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe("input", () => {
  for (const [name, text, field] of [
    ["text that is no JSON", "{", "body"],
    ["an array", "[1]", "body"],
    ["null", "null", "body"],
    ["a string", '"x"', "body"],
    ["nesting deeper than 32 levels", deep(40), "body"],
    ["a hundred thousand levels", deep(100_000), "body"],
    ["U+0000 in a value", '{"a":{"b":["x\\u0000"]}}', "a.b[0]"],
    ["U+0000 in a key", '{"a":{"b\\u0000":1}}', "a.b?"],
    ["a lone surrogate", '{"name":"\\ud83d"}', "name"],
    ["__proto__ as a key", '{"__proto__":{"isAdmin":true}}', "__proto__"],
    ["__proto__ further down", '{"a":{"__proto__":1}}', "a.__proto__"],
    ["an integer that a number cannot hold", '{"id":9007199254740993}', "id"],
    ["a number beyond every number", '{"id":1e999}', "id"],
  ] as const) {
    it(`refuses ${name} with a 400 that names ${field}`, () => {
      const fault = faultOf(() => json(text));
      expect(problemCatalogue[fault.kind].status).to.equal(400);
      expect(fault.errors[0]?.field).to.equal(field);
    });
  }

  it("refuses bytes that are not UTF-8", () => {
    const fault = faultOf(() => json(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])));
    expect(fault.errors).to.deep.equal([{ field: "body", reason: "encoding" }]);
  });

  it("takes every JSON type, in whatever case, and UTF-8 by any of its names", () => {
    for (const type of [
      "application/JSON",
      "application/json; charset=UTF-8",
      "application/vnd.x+json",
    ]) {
      expect(parseBody(Buffer.from('{"a":"é"}'), type, "json")).to.deep.equal({ a: "é" });
    }
  });

  for (const type of [
    undefined,
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin1",
    "application/jsonx",
  ]) {
    it(`refuses the type ${type ?? "(none)"} where JSON is wanted`, () => {
      const fault = faultOf(() => parseBody(Buffer.from("{}"), type, "json"));
      expect(fault.kind).to.equal("unsupported_media_type");
    });
  }

  it("reads forms where the transport is free", () => {
    const type = "application/x-www-form-urlencoded; charset=UTF-8";
    const fields = parseBody(Buffer.from("a=1+2&b=%C3%A9&c&a=3"), type, "any");
    expect({ ...fields }).to.deep.equal({ a: ["1 2", "3"], b: "é", c: "" });
  });

  it("refuses wrong percent encoding", () => {
    expect(faultOf(() => parseForm("a=%ff", "query")).errors[0]?.field).to.equal("query");
    expect(faultOf(() => parseForm("a=%zz", "body")).errors[0]?.field).to.equal("body");
    expect(faultOf(() => decodeParams({ id: "%c3" })).errors[0]?.field).to.equal("id");
    expect(faultOf(() => decodeParams({ id: "%00" })).errors[0]?.field).to.equal("id");
  });

  it("names a field without a name, too", () => {
    expect(faultOf(() => parseForm("=%00", "query")).errors[0]?.field).to.equal('""');
    expect(faultOf(() => json('{"":"\\u0000"}')).errors[0]?.field).to.equal('""');
  });

  it("ignores __proto__ in a query and refuses it in a form", () => {
    expect(Object.keys(parseForm("__proto__=1&a=1", "query"))).to.deep.equal(["a"]);
    expect(faultOf(() => parseForm("__proto__=1", "body")).errors[0]?.reason).to.equal("unknown");
  });

  it("reads a field that is given a hundred thousand times in linear time", () => {
    const startedAt = performance.now();
    expect(parseForm("a&".repeat(128 * 1024), "body")["a"]).to.have.length(128 * 1024);
    expect(performance.now() - startedAt).to.be.lessThan(2_000);
  });

  it("gives back or refuses any JSON, and never fails otherwise", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (text) => {
        try {
          expect(json(`{"v":${text}}`)).to.deep.equal(JSON.parse(`{"v":${text}}`));
        } catch (thrown) {
          expect(thrown).to.be.instanceOf(Problem);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("gives back or refuses any bytes, and never fails otherwise", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isForm) => {
        const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
        try {
          expect(parseBody(bytes, type, "any")).to.be.an("object");
        } catch (thrown) {
          expect(thrown).to.be.instanceOf(Problem);
        }
      }),
      { numRuns: 500 },
    );
  });
});
