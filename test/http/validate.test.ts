import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { createAjv } from "../../src/http/fields/ajv.ts";
import { createValidators, type RawInput, type RejectedInput } from "../../src/http/validate.ts";
import { coerceFields } from "../../src/http/values.ts";

const body = {
  type: "object",
  required: ["agent"],
  properties: {
    agent: { type: "string" },
    phone: { type: "string", pattern: "^\\+" },
    invite: { type: "boolean", default: false },
    priority: { type: "integer", minimum: 1, maximum: 4 },
    share: { type: "number" },
    kind: { type: "string", enum: ["a", "b"] },
    note: { type: ["string", "null"], maxLength: 5 },
    headers: {
      type: "array",
      items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    },
  },
  additionalProperties: false,
};

const params = {
  type: "object",
  required: ["ticketId"],
  properties: { ticketId: { type: "integer" } },
};

const query = {
  type: "object",
  properties: { limit: { type: "integer" }, state: { type: "string" } },
};

const compile = createValidators();
const validate = compile({ params, query, body, transport: "json" });
const validateAny = compile({ body, transport: "any" });

function input(more: Partial<RawInput>): RawInput {
  return {
    params: { ticketId: "12" },
    query: {},
    body: { agent: "a" },
    ...more,
  };
}

function problemOf(call: () => unknown): Problem {
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

describe("validation", () => {
  it("converts path and query to numbers and applies defaults", () => {
    const found = validate(input({ query: { limit: "5", state: "7" } }));
    expect(found.params).to.deep.equal({ ticketId: 12 });
    expect(found.query).to.deep.equal({ limit: 5, state: "7" });
    expect(found.body).to.deep.equal({ agent: "a", invite: false });
  });

  it("applies no pattern to a text that is too long anyway", () => {
    // The pattern takes more than a minute for this text.
    const slow = { type: "string", maxLength: 10, pattern: "^(a+)+$" };
    const validateSlow = compile({
      body: { type: "object", properties: { slow } },
      transport: "json",
    });
    const long = { slow: `${"a".repeat(34)}!` };
    const { errors } = problemOf(() => validateSlow({ params: {}, query: {}, body: long }));
    expect(errors).to.deep.equal([{ field: "slow", reason: "length" }]);
    const wrong = problemOf(() => validateSlow({ params: {}, query: {}, body: { slow: "aab" } }));
    expect(wrong.errors).to.deep.equal([{ field: "slow", reason: "format" }]);
  });

  it("does not look for words in a list that is too long anyway", () => {
    const channels = { type: "string", maxLength: 10, wordsOf: ["sms", "mail"] };
    const properties = { channels, note: { type: "string" } };
    const validateList = compile({ body: { type: "object", properties }, transport: "any" });
    const send = (list: string) =>
      validateList({ params: {}, query: {}, body: { channels: list } }).body;
    expect(send("SMS, Mail")).to.deep.equal({ channels: "sms,mail" });
    const { errors } = problemOf(() => send("sms,other,sms,other,sms"));
    expect(errors).to.deep.equal([{ field: "channels", reason: "length" }]);
    const isList = createAjv().compile(channels);
    expect(isList("sms,other,sms,other,sms")).to.equal(false);
    expect(isList.errors?.map(({ keyword }) => keyword)).to.deep.equal(["maxLength"]);
    const long = "SMS,".repeat(6);
    expect(coerceFields({ channels: long }, { properties })["channels"]).to.equal(long);
  });

  it("does not convert JSON values", () => {
    const fault = problemOf(() => validate(input({ body: { agent: "a", priority: "2" } })));
    expect(fault.errors).to.deep.equal([{ field: "priority", reason: "type" }]);
  });

  for (const [wrong, field, reason, kind] of [
    [{}, "agent", "required", "missing_parameter"],
    [undefined, "agent", "required", "missing_parameter"],
    [{ agent: "a", phone: "06" }, "phone", "format", "invalid_parameter"],
    [{ agent: "a", kind: "c" }, "kind", "enum", "invalid_parameter"],
    [{ agent: "a", priority: 5 }, "priority", "range", "invalid_parameter"],
    [{ agent: "a", priority: 1.5 }, "priority", "type", "invalid_parameter"],
    [{ agent: "a", note: "too long" }, "note", "length", "invalid_parameter"],
    [{ agent: null }, "agent", "type", "invalid_parameter"],
    [{ agent: "a", foo: 1 }, "foo", "unknown", "invalid_parameter"],
    [{ agent: "a", headers: [{}] }, "headers[0].name", "required", "missing_parameter"],
    [{ agent: "a", headers: [{ name: 1 }] }, "headers[0].name", "type", "invalid_parameter"],
  ] as const) {
    it(`names ${field} (${reason}) in ${JSON.stringify(wrong)}`, () => {
      const fault = problemOf(() => validate(input({ body: wrong })));
      expect(fault.errors).to.deep.equal([{ field, reason }]);
      expect(fault.kind).to.equal(kind);
      expect(fault.details).to.equal(`Parameter ${field}`);
    });
  }

  it("names every error, the missing field first", () => {
    const fault = problemOf(() => validate(input({ body: { phone: "06", foo: 1 } })));
    expect(fault.kind).to.equal("missing_parameter");
    expect(fault.details).to.equal("Parameter agent");
    expect(fault.errors.map(({ field }) => field)).to.have.members(["agent", "phone", "foo"]);
  });

  const keys = (count: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

  it("names at most 20 errors", () => {
    const ofKeys = problemOf(() => validate(input({ body: { agent: "a", ...keys(500) } })));
    const headers = Array.from({ length: 500 }, () => ({}));
    const ofItems = problemOf(() => validate(input({ body: { agent: "a", headers } })));
    const first = Array.from({ length: 20 }, (_, index) => index);
    expect(ofKeys.errors).to.deep.equal(
      first.map((index) => ({ field: `k${index}`, reason: "unknown" })),
    );
    expect(ofItems.errors).to.deep.equal(
      first.map((index) => ({ field: `headers[${index}].name`, reason: "required" })),
    );
  });

  it("does not pass more unknown keys to the schema than it reports", () => {
    const scanned: string[] = [];
    const watched = new Proxy<Record<string, unknown>>(keys(21), {
      get: (target, name) => {
        scanned.push(String(name));
        return target[String(name)];
      },
    });
    expect(problemOf(() => validate(input({ body: watched }))).errors).to.have.length(20);
    expect(scanned).to.deep.equal([]);
  });

  it("names a key that looks like a list index unchanged", () => {
    const fault = problemOf(() => validate(input({ body: { agent: "a", 0: 1 } })));
    expect(fault.errors[0]?.field).to.equal("0");
  });

  it("shortens the names of unknown keys and removes control characters", () => {
    const fault = problemOf(() =>
      validate(input({ body: { agent: "a", [`\n${"x".repeat(999)}`]: 1 } })),
    );
    expect(fault.errors[0]?.field).to.match(/^\?x{99}$/u);
  });

  for (const value of ["abc", "1e3", "0x10", " 7", "7.0", "", "true"]) {
    it(`rejects "${value}" as an integer in a path`, () => {
      const fault = problemOf(() => validate(input({ params: { ticketId: value } })));
      expect(fault.errors).to.deep.equal([{ field: "ticketId", reason: "type" }]);
    });
  }

  it("answers 404 to an integer in a path above any id", () => {
    const ticketId = "99999999999999999999";
    expect(problemOf(() => validate(input({ params: { ticketId } }))).kind).to.equal("not_found");
  });

  it("treats an empty query parameter as absent", () => {
    const found = validate(input({ query: { state: "", limit: "" } }));
    expect(found.query).to.not.have.any.keys("state", "limit");
  });

  it("rejects a repeated query parameter", () => {
    const fault = problemOf(() => validate(input({ query: { state: ["a", "b"] } })));
    expect(fault.errors).to.deep.equal([{ field: "state", reason: "type" }]);
  });

  it("rejects body keys if the route has no body", () => {
    const fault = problemOf(() => compile({})({ params: {}, query: {}, body: { a: 1 } }));
    expect(fault.errors).to.deep.equal([{ field: "a", reason: "unknown" }]);
  });

  describe("with input from query and body", () => {
    it("merges both; the body takes precedence", () => {
      const found = validateAny({
        params: {},
        query: { agent: "query", priority: "2" },
        body: { agent: "body", invite: "TRUE", share: "1.5" },
      });
      expect(found.body).to.deep.equal({ agent: "body", priority: 2, invite: true, share: 1.5 });
    });

    it("reads numbers as programs write them, and no other formats", () => {
      const shareOf = (share: string) =>
        validateAny(input({ body: { agent: "a", share } })).body["share"];
      expect(["-6.1e-05", "1E2", "0.25"].map(shareOf)).to.deep.equal([-6.1e-5, 100, 0.25]);
      for (const share of ["0x10", "1e", "e5", "1e999", " 7 ", "Infinity"]) {
        const fault = problemOf(() => shareOf(share));
        expect(fault.errors, share).to.deep.equal([{ field: "share", reason: "type" }]);
      }
    });

    for (const [word, isOn] of [
      ["1", true],
      ["true", true],
      ["0", false],
      ["False", false],
      [1, true],
      [false, false],
    ] as const) {
      it(`reads ${JSON.stringify(word)} as ${isOn}`, () => {
        const found = validateAny({ params: {}, query: {}, body: { agent: "a", invite: word } });
        expect(found.body["invite"]).to.equal(isOn);
      });
    }

    it("reads no list, object or null as a boolean", () => {
      for (const invite of [[true], ["1"], { toString: 1 }, {}, null, "constructor"]) {
        const fault = problemOf(() => validateAny(input({ body: { agent: "a", invite } })));
        expect(fault.errors).to.deep.equal([{ field: "invite", reason: "type" }]);
      }
    });

    it("rejects a required field that is in neither", () => {
      const fault = problemOf(() =>
        validateAny({ params: {}, query: { agent: "a", agnet: "a" }, body: { b: 1 } }),
      );
      expect(fault.errors).to.deep.equal([
        { field: "agnet", reason: "unknown" },
        { field: "b", reason: "unknown" },
      ]);
    });
  });

  it("names the valid range or the valid values", () => {
    const detailOf = (raw: object): string =>
      problemOf(() => validate(input({ body: { agent: "a", ...raw } }))).message;
    expect(detailOf({ priority: 5 })).to.equal(
      "The priority field is invalid: it must be between 1 and 4.",
    );
    expect(detailOf({ priority: "high" })).to.contain("it must be a whole number");
    expect(detailOf({ kind: "c" })).to.contain("one of a, b");
    expect(detailOf({ note: "too long" })).to.contain("at most 5 characters");
  });

  it("names the errors of path, query and body in one answer", () => {
    const wrong = { params: { ticketId: "x" }, query: { limit: "y" }, body: { priority: 9 } };
    const fields = problemOf(() => validate(wrong)).errors.map(({ field }) => field);
    expect(fields).to.have.members(["agent", "ticketId", "limit", "priority"]);
  });

  it("rejects an unknown query parameter, and names the known ones", () => {
    const fault = problemOf(() => validate(input({ query: { limt: "5" } })));
    expect(fault.errors).to.deep.equal([{ field: "limt", reason: "unknown" }]);
    expect(fault.message).to.equal(
      "The query parameter limt is unknown. Known parameters: limit, state.",
    );
  });

  it("rejects any query on a read without parameters, but not on a write", () => {
    const sent = { params: {}, query: { utm: "x" }, body: undefined };
    const fault = problemOf(() => compile({})(sent));
    expect(fault.message).to.equal(
      "The query parameter utm is unknown: this operation takes none.",
    );
    const callback = compile({ query: { type: "object", properties: {} }, method: "POST" });
    expect(callback(sent).query).to.deep.equal({});
  });

  it("keeps the valid part of rejected input, unless the path is invalid", () => {
    const refusalOf = (more: Partial<RawInput>) =>
      problemOf(() => validate(input(more))) as RejectedInput;
    const { validInput } = refusalOf({ body: { agent: "a", priority: 9, headers: [{}] } });
    expect(validInput?.body).to.deep.equal({ agent: "a", invite: false });
    expect(refusalOf({ params: { ticketId: "x" } }).validInput).to.equal(undefined);
  });
});
