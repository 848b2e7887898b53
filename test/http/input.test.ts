import { expect } from "chai";
import fc from "fast-check";
import { Problem, problemCatalogue } from "../../src/contracts/problems.ts";
import { decodeParams, parseBody, parseForm } from "../../src/http/input.ts";

function json(text: string | Uint8Array) {
  return parseBody(typeof text === "string" ? Buffer.from(text) : text, "application/json", "json");
}

function faultOf(call: () => unknown): Problem {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof Problem) {
      return thrown;
    }
    throw thrown;
  }
  throw new Error("Nothing was refused");
}

function deep(levels: number): string {
  return `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
}

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
    it(`rejects ${name} with a 400 that names ${field}`, () => {
      const fault = faultOf(() => json(text));
      expect(problemCatalogue[fault.kind].status).to.equal(400);
      expect(fault.errors[0]?.field).to.equal(field);
    });
  }

  it("rejects bytes that are not UTF-8", () => {
    const fault = faultOf(() => json(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])));
    expect(fault.errors).to.deep.equal([{ field: "body", reason: "encoding" }]);
  });

  it("accepts every JSON media type in any case, and all names of UTF-8", () => {
    for (const type of [
      "application/JSON",
      "application/json; charset=UTF-8",
      "application/vnd.x+json",
      "application/json; foo=1; charset=utf-8",
      'application/json; CHARSET = "UTF8"; foo="a; charset=latin1"',
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
    "application/json; foo=1; charset=latin1",
    'application/json; foo="\\"; x" ;charset="latin1"',
    "application/json; charset=utf-8; charset=latin1",
    "application/jsonx",
  ]) {
    it(`rejects the type ${type ?? "(none)"} if JSON is required`, () => {
      const fault = faultOf(() => parseBody(Buffer.from("{}"), type, "json"));
      expect(fault.kind).to.equal("unsupported_media_type");
    });
  }

  it("reads forms if the transport is any", () => {
    const type = "application/x-www-form-urlencoded; charset=UTF-8";
    const fields = parseBody(Buffer.from("a=1+2&b=%C3%A9&c&a=3"), type, "any");
    expect({ ...fields }).to.deep.equal({ a: ["1 2", "3"], b: "é", c: "" });
  });

  it("rejects invalid percent encoding", () => {
    expect(faultOf(() => parseForm("a=%ff", "query")).errors[0]?.field).to.equal("query");
    expect(faultOf(() => parseForm("a=%zz", "body")).errors[0]?.field).to.equal("body");
    expect(faultOf(() => decodeParams({ id: "%c3" })).errors[0]?.field).to.equal("id");
    expect(faultOf(() => decodeParams({ id: "%00" })).errors[0]?.field).to.equal("id");
  });

  it("reports a field with an empty name", () => {
    expect(faultOf(() => parseForm("=%00", "query")).errors[0]?.field).to.equal('""');
    expect(faultOf(() => json('{"":"\\u0000"}')).errors[0]?.field).to.equal('""');
  });

  it("ignores __proto__ in a query and rejects it in a form", () => {
    expect(Object.keys(parseForm("__proto__=1&a=1", "query"))).to.deep.equal(["a"]);
    expect(faultOf(() => parseForm("__proto__=1", "body")).errors[0]?.reason).to.equal("unknown");
  });

  const list = (count: number, item: (index: number) => string, between = ","): string =>
    Array.from({ length: count }, (_, index) => item(index)).join(between);

  for (const [name, read] of [
    [
      "a form of 1,001 fields",
      () =>
        parseForm(
          list(1_001, (i) => `k${i}=`, "&"),
          "body",
        ),
    ],
    ["a form that gives a field 1,001 times", () => parseForm("a&".repeat(1_001), "body")],
    ["a form of 1,001 separators", () => parseForm("&".repeat(1_001), "body")],
    ["an object of 1,001 members", () => json(`{${list(1_001, (i) => `"k${i}":0`)}}`)],
    ["a list of 1,000 items in a member", () => json(`{"a":[${list(1_000, () => "0")}]}`)],
    [
      "500 lists of an item each in a member",
      () => json(`{"a":[${list(500, () => "[0]")}]}`), // nodes: 1 + 500 + 500
    ],
  ] as const) {
    it(`rejects ${name}`, () => {
      expect(faultOf(read).errors).to.deep.equal([{ field: "body", reason: "length" }]);
    });
  }

  it("rejects a query of more than 1,000 fields, and names the query", () => {
    const fault = faultOf(() => parseForm("a&".repeat(1_001), "query"));
    expect(fault.errors).to.deep.equal([{ field: "query", reason: "length" }]);
  });

  it("rejects a list that is too long before it checks any item", () => {
    const fault = faultOf(() => json(`{"a":["\\u0000"${',"\\u0000"'.repeat(1_000)}]}`));
    expect(fault.errors).to.deep.equal([{ field: "body", reason: "length" }]);
  });

  it("accepts 1,000 fields", () => {
    expect(
      parseForm(
        list(1_000, () => "a=1", "&"),
        "body",
      )["a"],
    ).to.have.length(1_000);
    expect(json(`{"a":[${list(999, () => "0")}]}`)["a"]).to.have.length(999);
    expect(Object.keys(json(`{${list(1_000, (i) => `"k${i}":0`)}}`))).to.have.length(1_000);
  });

  it("returns or rejects any JSON, and never fails otherwise", () => {
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

  it("returns or rejects any bytes, and never fails otherwise", () => {
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
