import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import {
  emailField,
  nameLine,
  phoneField,
  periodQuery,
  switchField,
  timestampField,
  wordList,
} from "../../../src/http/schema.ts";
import { parseForm } from "../../../src/http/input.ts";
import { createValidators, type Input, type RawInput } from "../../../src/http/validate.ts";

const validate = createValidators()({
  transport: "any",
  body: {
    type: "object",
    anyOf: [{ required: ["email"] }, { required: ["phone"] }],
    properties: {
      email: emailField,
      phone: { ...phoneField, type: ["string", "null"] },
      startTime: timestampField,
      since: periodQuery.since,
      state: wordList(["new", "inProgress"]),
      order: { type: "string", enum: ["asc", "desc"] },
      invite: switchField,
      zone: { type: "string", format: "time-zone" },
      password: { type: "string", format: "new-password" },
      filter: { type: "string", format: "event-filter" },
      name: { type: "string", minLength: 1, maxLength: 5, ...nameLine },
      limit: { type: "integer", minimum: 1 },
      pair: { type: "array", maxItems: 2, items: { type: "string" } },
      place: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          properties: { lat: { type: "number" }, lng: { type: "number" } },
        },
      },
      tags: { type: "array", maxItems: 1, uniqueItems: true, items: { type: "string" } },
    },
  },
});

function ask(body: Record<string, unknown>): Input {
  return validate({ params: {}, query: {}, body });
}

function refusalOf(body: Record<string, unknown>): Problem {
  return refusalOfInput({ query: {}, body });
}

function refusalOfInput(input: Omit<RawInput, "params">): Problem {
  try {
    validate({ params: {}, ...input });
  } catch (thrown) {
    if (thrown instanceof Problem) {
      return thrown;
    }
    throw thrown;
  }
  throw new Error("Nothing was refused");
}

const email = "ann@example.com";

describe("error texts", () => {
  for (const [field, value, ...texts] of [
    [
      "phone",
      "0612345678",
      "country code",
      "+33612345678",
      "the country code with its + is missing",
    ],
    ["phone", "nobody", "such as +33612345678"],
    [
      "startTime",
      "2026-12-01 10:00",
      "ISO 8601",
      "2026-12-01T10:00:00+01:00",
      "the offset is missing",
    ],
    ["startTime", "tomorrow", "ISO 8601 with its offset"],
    ["since", "2026-12-01T10:00:00", "a day (2026-12-01)", "the offset is missing"],
    ["startTime", "1969-12-31T10:00:00Z", "years from 1970 to 9998 are allowed"],
    ["since", "0099-12-31", "years from 100 to 9998 are allowed"],
    ["email", "ann", "such as ann@example.com"],
    ["state", "new,old", "comma-separated", "new, inProgress"],
    ["state", ["new"], "comma-separated", "not a list"],
    ["order", "up", "one of asc, desc"],
    ["invite", "yes", "true or false (or 1 or 0)"],
    ["zone", "+01:00", "Europe/Paris"],
    ["password", "short", "at least 12 characters"],
    ["filter", "tickets.*", "such as ticket.*", "the object tickets is unknown", "ticket, media"],
    [
      "filter",
      "conversation.create",
      "; the object conversation has no event create: it can be update or *.",
    ],
    ["filter", "ticket.create:foo", "; only conversationevent has an eventType."],
    [
      "filter",
      "conversationevent.create:media.nope",
      "; the eventType media.nope is unknown: it can be media.pictureTaken, media.OCRDone, media.pictureSent or *.",
    ],
    ["filter", "a\nb.create", "the object a?b is unknown"],
    ["name", "  ", "not blank"],
    ["name", "\u200b\u200b", "not blank"],
    ["name", "", "between 1 and 5 characters"],
    ["tags", ["a", "b"], "at most 1 item"],
    ["tags", "a", "a list"],
  ] as const) {
    it(`say what is valid instead of ${JSON.stringify(value)} as ${field}`, () => {
      const refusal = refusalOf({ email, [field]: value });
      expect(refusal.errors.map((fault) => fault.field)).to.deep.equal([field]);
      for (const text of texts) {
        expect(refusal.message).to.include(text);
      }
      expect(refusal.message).to.not.include("selected");
    });
  }

  it("do not ask for a prefix that is present", () => {
    expect(refusalOf({ email, phone: "0012" }).message).to.not.include(
      "country code with its + is missing",
    );
  });

  it("name every invalid field and say what is valid", () => {
    const refusal = refusalOf({ phone: "1", startTime: "2026-12-01T10:00", order: "up", foo: 1 });
    const fields = refusal.errors.map(({ field }) => field);
    expect(fields).to.have.members(["phone", "startTime", "order", "foo"]);
    for (const text of [
      "+33612345678",
      "the offset is missing",
      "asc, desc",
      "The field foo is unknown.",
    ]) {
      expect(refusal.message).to.include(text);
    }
  });

  it("name the known fields of the body, once, beside an unknown one", () => {
    const refusal = refusalOf({ email, fone: "1", nam: "a" });
    expect(refusal.errors.map(({ reason }) => reason)).to.deep.equal(["unknown", "unknown"]);
    expect(refusal.message).to.equal(
      "The field fone is unknown. Known fields: email, phone, startTime, since, state, order, invite, zone, password, filter, name, limit, pair, place, tags. The field nam is unknown.",
    );
  });

  it("name the known fields of the object that has an unknown one", () => {
    expect(refusalOf({ email, place: [{ lat: 1 }, { lan: 2 }] }).message).to.equal(
      "The field place[1].lan is unknown. Known fields of place[1]: lat, lng.",
    );
  });

  it("name the known fields if the body has many unknown ones", () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 1]));
    expect(refusalOf({ email, ...many }).message).to.match(
      /^The body has 21 unknown fields\. Known fields: email, .*, tags\.$/u,
    );
  });

  it("name at most 50 known fields", () => {
    const names = Array.from({ length: 60 }, (_, index) => `k${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    const ofMany = createValidators()({ body: { type: "object", properties } });
    expect(() => ofMany({ params: {}, query: {}, body: { k60: 1 } })).to.throw(
      `The field k60 is unknown. Known fields: ${names.slice(0, 50).join(", ")} and 10 more.`,
    );
  });

  for (const [form, field, text] of [
    ["limit=1&limit=2", "limit", "The limit field is given more than once."],
    ["name=a&name=b&name=c", "name", "The name field is given more than once."],
    ["invite=1&invite=1", "invite", "The invite field is given more than once."],
    ["phone=&phone=", "phone", "The phone field is given more than once."],
    [
      "state=new&state=new",
      "state",
      "The state field is given more than once: give one text of comma-separated words.",
    ],
  ] as const) {
    it(`say that a text field is given more than once: ${form}`, () => {
      for (const where of ["query", "body"] as const) {
        const sent = {
          query: {},
          body: {},
          [where]: { ...parseForm(`email=${email}&${form}`, where) },
        };
        const refusal = refusalOfInput(sent);
        expect(refusal.errors).to.deep.equal([{ field, reason: "duplicate" }]);
        expect(refusal.message).to.equal(text);
      }
    });
  }

  it("do not call a list of a JSON body a repeated field", () => {
    expect(refusalOf({ email, limit: [1, 2] }).errors).to.deep.equal([
      { field: "limit", reason: "type" },
    ]);
  });

  it("accept a repeated text field that takes a list", () => {
    const body = { ...parseForm(`email=${email}&pair=a&pair=b`, "body") };
    expect(ask(body).body["pair"]).to.deep.equal(["a", "b"]);
  });

  it("name all alternatives of a required field", () => {
    const refusal = refusalOf({ order: "up" });
    expect(refusal.kind).to.equal("missing_parameter");
    expect(refusal.errors).to.deep.equal([
      { field: "email", reason: "required" },
      { field: "phone", reason: "required" },
      { field: "order", reason: "enum" },
    ]);
    expect(refusal.message).to.include("The email field is required when phone is absent.");
  });
});

describe("text formats", () => {
  it("accept every valid form", () => {
    const right = {
      email,
      phone: "0033 6 12 34 56 78",
      startTime: "2026-12-01 10:00Z",
      since: "2026-12-01",
      zone: "Europe/Paris",
      password: "Passw0rd",
      filter: "conversationevent.create:media.OCRDone",
      name: " a ",
    };
    expect(ask(right).body).to.deep.equal(right);
  });

  it("count as absent if empty", () => {
    const empty = { email, phone: "", startTime: "", since: "", state: "" };
    expect(ask(empty).body).to.deep.equal(empty);
  });

  it("match words case-insensitively and return the documented spelling", () => {
    const { body } = ask({ email, order: "DESC", state: " INPROGRESS, new ,", invite: "TRUE" });
    expect(body).to.include({ order: "desc", state: "inProgress,new", invite: "TRUE" });
  });
});
