import { expect } from "chai";
import fc from "fast-check";
import type { AnyRoute, JsonSchema } from "../../src/http/route.ts";
import { fuzzRuns } from "../support/night.ts";
import { removeWebhooks } from "../support/tenant.ts";
import { expectFieldFault, expectProblem } from "../support/problem-shape.ts";
import { useWholeApi, type ApiAnswer, type ApiCall } from "../support/whole-api.ts";
import { badQueryValues, bodies, expectSound, wrongTypes } from "./bad-input.ts";
import {
  aSubject,
  elsewhere,
  jsonSubjects,
  readingSubjects,
  routeOf,
  subjects,
  type Subject,
} from "./subjects.ts";
import { useFixture } from "./fixture.ts";

const kilobyte = 1_024;

/** Query parameters without which a field is not validated. */
const besides: Readonly<Record<string, string>> = {
  "GET /webhooks/explain time": "object=ticket&objectId=1&",
};

/** `headers[0].name` → `headers`: the top-level member of the body to which a field belongs. */
function memberOf(field: string): string {
  return /^[^.[]*/u.exec(field)?.[0] ?? "";
}

function propertiesOf(
  schema: JsonSchema | undefined,
): Record<string, { type?: unknown; enum?: unknown }> {
  return (schema?.["properties"] ?? {}) as Record<string, { type?: unknown; enum?: unknown }>;
}

describe("bad input", () => {
  const api = useWholeApi();
  const fixture = useFixture(api);
  const route = (name: string): AnyRoute => routeOf(api.routes, name);

  /** Calls one operation, on a new object after each successful write. */
  const caller = (name: string) => {
    let subject: Subject | undefined;
    return async (change: (right: Subject) => Partial<Subject>): Promise<ApiAnswer> => {
      subject ??= await aSubject(fixture.get, name);
      const { operation, call } = { ...subject, ...change(subject) };
      const answer = await api.call(operation, call);
      if (answer.status < 300 && !name.startsWith("GET ")) {
        subject = undefined;
        await removeWebhooks(api.db, fixture.get.own.id);
      }
      return answer;
    };
  };

  /** The same, with a new object for every test of the surrounding `describe`. */
  const useCaller = (name: string): ReturnType<typeof caller> => {
    let current = caller(name);
    beforeEach("reset the budget", () => {
      current = caller(name);
    });
    return (change) => current(change);
  };

  const bodyOf = ({ call }: Subject): Record<string, unknown> =>
    (call.json ?? {}) as Record<string, unknown>;

  for (const name of jsonSubjects) {
    describe(name, () => {
      const call = useCaller(name);
      const send = (json: (right: Record<string, unknown>) => unknown): Promise<ApiAnswer> =>
        call((right) => ({ call: { ...right.call, json: json(bodyOf(right)) } }));
      const sendRaw = (raw: string | Uint8Array, headers: Record<string, string>) =>
        call((right) => {
          const { json: _json, ...rest } = right.call;
          return { call: { ...rest, raw, headers } satisfies ApiCall };
        });
      const raw = (text: string | Uint8Array, type = "application/json") =>
        sendRaw(text, { "content-type": type });
      const isAny = (): boolean => route(name).transport === "any";

      it("rejects a body over 256 KB with a 413, and accepts one below", async () => {
        const filled = (size: number): string => `{"padding":"${"x".repeat(size)}"}`;
        expectProblem(await raw(filled(256 * kilobyte)), "too_large");
        expect(expectFieldFault(await raw(filled(255 * kilobyte)))).to.include("padding");
      });

      it("rejects other media types, charsets and encodings with a 415", async () => {
        for (const type of [
          "text/plain",
          "application/xml",
          "multipart/form-data; boundary=x",
          "application/json; charset=iso-8859-1",
          ...(isAny() ? [] : ["application/x-www-form-urlencoded"]),
        ]) {
          expectProblem(await raw("{}", type), "unsupported_media_type", type);
        }
        const headers = { "content-type": "application/json", "content-encoding": "gzip" };
        expectProblem(await sendRaw("{}", headers), "unsupported_media_type", "gzip");
      });

      it("rejects anything but a JSON object", async () => {
        for (const text of ["{", "[]", "null", "7", '"x"', "{}{}", "\u0000", "NaN", "{'a':1}"]) {
          expect(expectFieldFault(await raw(text), text), text).to.deep.equal(["body"]);
        }
        const notUtf8 = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
        expect(expectFieldFault(await raw(notUtf8))).to.deep.equal(["body"]);
        const deep = `{"a":${"[".repeat(200)}${"]".repeat(200)}}`;
        expect(expectFieldFault(await raw(deep))).to.deep.equal(["body"]);
      });

      it("rejects unknown keys, and names them and the known ones", async () => {
        for (const key of ["colour", "constructor", "toString", "enterprise_id", "a.b", "ключ"]) {
          const answer = await send((right) => ({ ...right, [key]: 1 }));
          expect(expectFieldFault(answer, key)).to.include(key);
          for (const field of Object.keys(propertiesOf(route(name).body))) {
            expect(answer.body.detail, answer.text).to.include(field);
          }
        }
        const answer = await raw('{"__proto__":{"admin":true}}');
        expect(expectFieldFault(answer)).to.include("__proto__");
      });

      it("names each field of the wrong type", async () => {
        for (const [field, { type }] of Object.entries(propertiesOf(route(name).body))) {
          // An enumeration has no `type`, and all of these values are outside of it.
          for (const value of wrongTypes(type ?? "string")) {
            const answer = await send((right) => ({ ...right, [field]: value }));
            if (type === undefined && answer.status < 300) {
              continue;
            }
            const fields = expectFieldFault(answer, `${field}: ${JSON.stringify(value)}`);
            expect(fields.map(memberOf), answer.text).to.include(field);
          }
        }
      });

      it("accepts a form or a query if documented, and never fails with a 500", async () => {
        const properties = Object.keys(propertiesOf(route(name).body));
        const names = isAny() ? properties : [...properties, "colour"];
        const field = fc.tuple(fc.constantFrom(...names), fc.string({ unit: "binary" }));
        await fc.assert(
          fc.asyncProperty(fc.array(field, { maxLength: 5 }), async (fields) => {
            const form = new URLSearchParams(fields).toString();
            const answer = await raw(form, "application/x-www-form-urlencoded");
            expectSound(answer, form);
            if (!isAny() && form !== "") {
              expectProblem(answer, "unsupported_media_type", form);
            }
          }),
          { numRuns: isAny() ? fuzzRuns(25) : 3 },
        );
      });

      it("never fails with a 500 for random field values", async () => {
        const properties = Object.keys(propertiesOf(route(name).body));
        await fc.assert(
          fc.asyncProperty(bodies(properties), async (members) => {
            let json: Record<string, unknown> = {};
            const answer = await send((right) => (json = { ...right, ...members }));
            expectSound(answer, JSON.stringify(json).slice(0, 500));
            if (answer.status === 400) {
              const known = [...Object.keys(json), ...properties, '""', "body"];
              const unknown = expectFieldFault(answer).filter(
                (field) => !known.some((one) => field.startsWith(one)),
              );
              expect(unknown, answer.text).to.deep.equal([]);
            }
          }),
          { numRuns: properties.length === 0 ? 3 : fuzzRuns(15) },
        );
      });
    });
  }

  for (const name of readingSubjects) {
    describe(name, () => {
      const call = useCaller(name);
      const ask = (query: string): Promise<ApiAnswer> =>
        call(({ operation }) => ({
          operation: `${operation}${operation.includes("?") ? "&" : "?"}${query}`,
        }));
      const instead = (query: string): Promise<ApiAnswer> =>
        call(({ operation }) => ({ operation: `${operation.replace(/\?.*/u, "")}?${query}` }));
      const fieldsOf = (): string[] => Object.keys(propertiesOf(route(name).query));
      const schemaOf = (field: string) => propertiesOf(route(name).query)[field] ?? {};

      it("rejects unknown query parameters, and names them and the known ones", async () => {
        const answer = await ask("colour=red&colour=blue&__proto__=1&constructor=2&&=&a[b]=c");
        expect(expectFieldFault(answer)).to.include.members(["colour", "constructor", "a[b]"]);
        for (const field of fieldsOf()) {
          expect(answer.body.detail, answer.text).to.include(field);
        }
      });

      it("names each invalid query value", async () => {
        for (const field of fieldsOf()) {
          for (const value of badQueryValues(field, schemaOf(field))) {
            const answer = await instead(`${besides[`${name} ${field}`] ?? ""}${field}=${value}`);
            expect(expectFieldFault(answer, `${field}=${value}`)).to.include(field);
          }
          const twice = await instead(`${field}=1&${field}=2`);
          expect(expectFieldFault(twice, `${field} twice`)).to.deep.equal([field]);
          expect(twice.body.errors, field).to.deep.equal([{ field, reason: "duplicate" }]);
        }
        for (const broken of ["limit=%", "%zz=1", "limit=%ff"]) {
          expect(expectFieldFault(await ask(broken), broken)).to.deep.equal(["query"]);
        }
      });

      it("treats an empty parameter as absent", async () => {
        const needed = (route(name).query?.["required"] ?? []) as string[];
        const optional = fieldsOf().filter((field) => !needed.includes(field));
        const answer = await call(({ operation }) => {
          const query = new URL(operation.replace("GET ", ""), api.url).searchParams;
          const left = optional.filter((field) => !query.has(field)).map((field) => `${field}=`);
          return { operation: `${operation}${query.size === 0 ? "?" : "&"}${left.join("&")}` };
        });
        expect(answer.status, answer.text).to.equal(200);
      });

      it("never fails with a 500 for random query values", async () => {
        const fields = fieldsOf();
        const part = fc.oneof(
          fc.string({ unit: "binary", maxLength: 20 }).map((text) => encodeURIComponent(text)),
          fc.stringMatching(/^[\w%&=+-]{0,20}$/u),
          fc.constantFrom("9007199254740993", "1e9", "-1", "0", "9999-12-31", "0000-01-01", "%00"),
          fc.constantFrom("0001-01-01T00:00:00-14:00", "9999-12-31T23:59:59-14:00", "'; --", "%25"),
        );
        const parameter = fields.length === 0 ? part : fc.oneof(fc.constantFrom(...fields), part);
        const query = fc.array(fc.tuple(parameter, part), { maxLength: 4 });
        await fc.assert(
          fc.asyncProperty(query, async (pairs) => {
            const text = pairs.map(([field, value]) => `${field}=${value}`).join("&");
            expectSound(await instead(text), text);
          }),
          { numRuns: fields.length === 0 ? 3 : fuzzRuns(20) },
        );
      });
    });
  }

  /** Path parameters that are not a numeric row id. */
  const isWord = (parameter: string): boolean =>
    /^(?:sessionId|requestId|conversationId|eventId|secret|code|provider|number)$/u.test(parameter);

  for (const name of subjects.filter((one) => one.includes("{"))) {
    it(`${name} answers 400 for an invalid id, and 404 for one that is too large`, async () => {
      const call = caller(name);
      for (const parameter of name.match(/(?<=\{)\w+(?=\})/gu) ?? []) {
        const ask = (value: string): Promise<ApiAnswer> =>
          call((right) => ({ operation: elsewhere(name, right, { [parameter]: value }) }));
        for (const value of ["x", "-1", "1.5", "1e3", "0x10", "%201", "%00", "1'", "null"]) {
          expect(expectFieldFault(await ask(value), value), value).to.include(parameter);
        }
        expect(expectFieldFault(await ask("%ff"))).to.include(parameter);
        if (!isWord(parameter)) {
          expect(expectFieldFault(await ask("0"))).to.include(parameter);
          for (const value of ["9007199254740991", "9223372036854775808", "1".repeat(60)]) {
            expectProblem(await ask(value), "not_found", value);
          }
        }
      }
    });
  }
});
