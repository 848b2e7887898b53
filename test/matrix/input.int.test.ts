import { expect } from "chai";
import fc from "fast-check";
import type { JsonSchema, PublicRoute, Route } from "../../src/http/route.ts";
import {
  aHouse,
  aHouseTicket,
  aHouseWebhook,
  removeWebhooks,
  type House,
} from "../support/house.ts";
import { expectFieldFault, expectProblem } from "../support/problem-shape.ts";
import { useWholeApi, type ApiAnswer, type ApiCall } from "../support/whole-api.ts";
import { badQueryValues, bodies, wrongTypes } from "./bad-input.ts";
import { isPublic, operations, type Classified } from "./routes.ts";
import { pathOf } from "./targets.ts";

const kilobyte = 1_024;

/** `headers[0].name` → `headers`: the member of the body that a fault is about. */
const memberOf = (field: string): string => /^[^.[]*/u.exec(field)?.[0] ?? "";

const propertiesOf = (schema: JsonSchema | undefined): Record<string, { type?: unknown }> =>
  (schema?.["properties"] ?? {}) as Record<string, { type?: unknown }>;

describe("bad input", () => {
  const api = useWholeApi();
  let house: House;
  let token: string;
  before("fill an enterprise", async () => {
    house = await aHouse(api.db);
    ({ token } = house.members.admin);
  });
  afterEach("make room for webhooks", async () => {
    await removeWebhooks(api.db, house.id);
  });

  const routeOf = (operation: string): Route | PublicRoute => {
    const found = api.routes.find(({ method, path }) => `${method} ${path}` === operation);
    if (found === undefined) {
      throw new Error(`${operation} is not served`);
    }
    return found;
  };

  /** An object that the operation can be used on. */
  const idsFor = async ({ target, state = "new" }: Classified): Promise<Record<string, number>> => {
    if (target === "none") {
      return {};
    }
    if (target === "ticket") {
      return { ticketId: await aHouseTicket(api.db, house, { state }) };
    }
    const { id, deliveryId } = await aHouseWebhook(api.db, house);
    return { webhookId: id, deliveryId };
  };

  const bodyOf = ({ body }: Classified): Record<string, unknown> =>
    (body?.(house, house.members.admin) ?? {}) as Record<string, unknown>;

  /** Whatever was sent, the service is well: no 5xx, and a refusal that says why. */
  const expectSound = (answer: ApiAnswer, what: string): void => {
    const found = `${what}: ${answer.status} ${answer.text.slice(0, 300)}`;
    expect(answer.status, found).to.be.lessThan(500);
    expect(answer.status, found).to.be.oneOf([200, 201, 204, 400, 401, 403, 404, 409, 413, 415]);
    if (answer.status === 400) {
      expectFieldFault(answer, what);
    }
  };

  const takesBody = operations.filter(([name]) => !name.startsWith("GET "));
  const spendsToken = (operation: string): boolean => operation === "DELETE /token";

  for (const [operation, kind] of takesBody.filter(([name]) => !spendsToken(name))) {
    describe(operation, () => {
      const send = async (call: ApiCall): Promise<ApiAnswer> => {
        const [method = "", path = ""] = operation.split(" ");
        const credentials = isPublic(kind) ? {} : { token };
        return api.call(`${method} /api${pathOf(path, await idsFor(kind))}`, {
          ...credentials,
          ...call,
        });
      };
      const raw = (text: string | Uint8Array, type = "application/json") =>
        send({ raw: text, headers: { "content-type": type } });
      const isAny = (): boolean => routeOf(operation).transport === "any";

      it("refuses a body over 256 KB with a 413, and takes one below", async () => {
        const filled = (size: number): string => `{"padding":"${"x".repeat(size)}"}`;
        expectProblem(await raw(filled(256 * kilobyte)), "too_large");
        expect(expectFieldFault(await raw(filled(255 * kilobyte)))).to.include("padding");
      });

      it("refuses other media types, charsets and encodings with a 415", async () => {
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
        expectProblem(await send({ raw: "{}", headers }), "unsupported_media_type", "gzip");
      });

      it("refuses what is no JSON object", async () => {
        for (const text of ["{", "[]", "null", "7", '"x"', "{}{}", "\u0000", "NaN", "{'a':1}"]) {
          expect(expectFieldFault(await raw(text), text), text).to.deep.equal(["body"]);
        }
        const notUtf8 = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
        expect(expectFieldFault(await raw(notUtf8))).to.deep.equal(["body"]);
        const deep = `{"a":${"[".repeat(200)}${"]".repeat(200)}}`;
        expect(expectFieldFault(await raw(deep))).to.deep.equal(["body"]);
      });

      it("refuses keys that it does not know, and names them", async () => {
        for (const key of ["colour", "constructor", "toString", "enterprise_id", "a.b", "ключ"]) {
          const answer = await send({ json: { ...bodyOf(kind), [key]: 1 } });
          expect(expectFieldFault(answer, key)).to.include(key);
        }
        expect(expectFieldFault(await raw('{"__proto__":{"admin":true}}'))).to.deep.equal([
          "__proto__",
        ]);
      });

      it("names each field that has the wrong type", async () => {
        for (const [field, { type }] of Object.entries(propertiesOf(routeOf(operation).body))) {
          for (const value of wrongTypes(type)) {
            const answer = await send({ json: { ...bodyOf(kind), [field]: value } });
            const fields = expectFieldFault(answer, `${field}: ${JSON.stringify(value)}`);
            expect(fields.map(memberOf), answer.text).to.include(field);
          }
        }
      });

      it("takes a form or a query where it says so, and survives any", async () => {
        const properties = Object.keys(propertiesOf(routeOf(operation).body));
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
          { numRuns: isAny() ? 60 : 5 },
        );
      });

      it("survives whatever stands in its fields", async () => {
        const properties = Object.keys(propertiesOf(routeOf(operation).body));
        await fc.assert(
          fc.asyncProperty(bodies(properties), async (members) => {
            const json = { ...bodyOf(kind), ...members };
            const answer = await send({ json });
            expectSound(answer, JSON.stringify(json).slice(0, 500));
            if (answer.status === 400) {
              const known = [...Object.keys(json), ...properties, '""', "body"];
              const unknown = expectFieldFault(answer).filter(
                (field) => !known.some((name) => field.startsWith(name)),
              );
              expect(unknown, answer.text).to.deep.equal([]);
            }
            if (answer.status === 201 && operation === "POST /webhooks") {
              await removeWebhooks(api.db, house.id);
            }
          }),
          { numRuns: properties.length === 0 ? 10 : 60 },
        );
      });
    });
  }

  for (const [operation, kind] of operations.filter(([name]) => name.startsWith("GET "))) {
    it(`${operation} names each bad value of its query, and ignores what it does not know`, async () => {
      const [method = "", pattern = ""] = operation.split(" ");
      const path = `/api${pathOf(pattern, await idsFor(kind))}`;
      const ask = (query: string) => api.call(`${method} ${path}?${query}`, { token });
      const plain = await ask("colour=red&colour=blue&__proto__=1&constructor=2&&=&a[b]=c");
      expect(plain.status, plain.text).to.equal(200);
      const fields = Object.keys(propertiesOf((routeOf(operation) as Route).query));
      const empty = await ask(fields.map((field) => `${field}=`).join("&"));
      expect(empty.body, "empty parameters").to.deep.equal(plain.body);
      for (const field of fields) {
        for (const value of badQueryValues(field)) {
          const answer = await ask(`${field}=${value}`);
          expect(expectFieldFault(answer, `${field}=${value}`)).to.include(field);
        }
        const twice = await ask(`${field}=1&${field}=2`);
        expect(expectFieldFault(twice, `${field} twice`)).to.deep.equal([field]);
      }
      for (const broken of ["limit=%", "%zz=1", "limit=%ff"]) {
        expect(expectFieldFault(await ask(broken), broken)).to.deep.equal(["query"]);
      }
    });

    it(`${operation} survives whatever stands in its query`, async () => {
      const [method = "", pattern = ""] = operation.split(" ");
      const path = `/api${pathOf(pattern, await idsFor(kind))}`;
      const fields = Object.keys(propertiesOf((routeOf(operation) as Route).query));
      const part = fc.oneof(
        fc.string({ unit: "binary", maxLength: 20 }).map((text) => encodeURIComponent(text)),
        fc.stringMatching(/^[\w%&=+-]{0,20}$/u),
        fc.constantFrom("9007199254740993", "1e9", "-1", "0", "9999-12-31", "0000-01-01", "%00"),
        fc.constantFrom("0001-01-01T00:00:00-14:00", "9999-12-31T23:59:59-14:00", "'; --", "%25"),
      );
      const name = fields.length === 0 ? part : fc.oneof(fc.constantFrom(...fields), part);
      const query = fc.array(fc.tuple(name, part), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(query, async (pairs) => {
          const text = pairs.map(([field, value]) => `${field}=${value}`).join("&");
          expectSound(await api.call(`${method} ${path}?${text}`, { token }), text);
        }),
        { numRuns: fields.length === 0 ? 10 : 100 },
      );
    });
  }

  for (const [operation, kind] of operations.filter(([, { target }]) => target !== "none")) {
    it(`${operation} answers 400 for an id that is none, 404 for one beyond all`, async () => {
      const [method = "", pattern = ""] = operation.split(" ");
      const ids = await idsFor(kind);
      for (const name of pattern.match(/(?<=\{)\w+(?=\})/gu) ?? []) {
        const ask = (value: string) => {
          const path = pathOf(pattern.replace(`{${name}}`, value), ids);
          return api.call(`${method} /api${path}`, {
            token,
            json: method === "GET" ? undefined : bodyOf(kind),
          });
        };
        for (const value of ["x", "0", "-1", "1.5", "1e3", "0x10", "%201", "%00", "1'", "null"]) {
          expect(expectFieldFault(await ask(value), value)).to.deep.equal([name]);
        }
        expect(expectFieldFault(await ask("%ff"))).to.deep.equal([name]);
        for (const value of ["9007199254740991", "9223372036854775808", "1".repeat(60)]) {
          expectProblem(await ask(value), "not_found", value);
        }
      }
    });
  }
});
