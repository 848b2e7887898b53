import { expect } from "chai";
import { Ajv } from "ajv";
import {
  formsOf,
  matching,
  operationsOf,
  parametersOf,
  resolve,
  schemeOf,
  type ApiDocument,
  type Operation,
  type Schema,
} from "../../../web/api-docs/document.ts";
import { exampleOf } from "../../../web/api-docs/example.ts";

const person: Schema = {
  type: "object",
  required: ["id", "name", "friends"],
  properties: {
    id: { type: "integer", minimum: 5 },
    name: { type: ["string", "null"] },
    role: { type: "string", enum: ["admin", "agent"] },
    friends: { type: "array", items: { $ref: "#/components/schemas/Person" } },
    either: { oneOf: [{ type: "boolean" }, { type: "string" }] },
    whole: { allOf: [{ type: "object", properties: { at: { type: "string", format: "date" } } }] },
  },
};

const document: ApiDocument = {
  paths: {
    "/api/users": {
      get: { operationId: "users.list", tags: ["users"], summary: "All users", security: [] },
      post: { tags: ["users"], security: [{ access_token: [] }] },
    },
    "/api/buttons": { get: { operationId: "buttons.list", tags: ["buttons"] } },
  },
  webhooks: { "ticket.create": { post: { summary: "A ticket was created" } } },
  components: { schemas: { Person: person } },
};

describe("the API description as parsed by the reference page", () => {
  const operations = operationsOf(document);

  it("groups operations by tag, followed by the webhooks if there are any", () => {
    expect(operations.map(({ id, isWebhook }) => [id, isWebhook])).to.deep.equal([
      ["buttons.list", false],
      ["users.list", false],
      ["post /api/users", false],
      ["post ticket.create", true],
    ]);
    expect(operationsOf({})).to.deep.equal([]);
  });

  it("finds operations by words of path, method, name or summary", () => {
    const found = (typed: string): string[] => matching(operations, typed).map(({ id }) => id);
    expect(found("get USERS")).to.deep.equal(["users.list"]);
    expect(found("ticket")).to.deep.equal(["post ticket.create"]);
    expect(found("")).to.have.length(4);
    expect(found("users nothing")).to.deep.equal([]);
  });

  it("lists a parameter of query and body once, and one content type per schema", () => {
    const schema = { type: "object", properties: { name: { type: "string" } } };
    const operation: Operation = {
      ...{ id: "x", method: "POST", path: "/x", group: "", isWebhook: false },
      parameters: [
        { name: "name", in: "query" },
        { name: "name", in: "path" },
        { name: "limit", in: "query" },
      ],
      requestBody: { content: { "application/json": { schema }, "text/form": { schema } } },
    };
    expect(parametersOf(document, operation)).to.deep.equal(operation.parameters?.slice(1));
    expect(formsOf(operation.requestBody?.content ?? {})).to.deep.equal([
      { types: "application/json, text/form", schema },
    ]);
  });

  it("names the security scheme, and resolves references", () => {
    expect(operations.map(schemeOf)).to.deep.equal([
      ...[undefined, undefined, "access_token", undefined],
    ]);
    expect(resolve(document, { $ref: "#/components/schemas/Person" })).to.equal(person);
    const elsewhere = { $ref: "https://example.com/x" };
    expect(resolve(document, elsewhere)).to.equal(elsewhere);
  });

  it("generates a valid example, even for recursive schemas", () => {
    const example = exampleOf(document, { $ref: "#/components/schemas/Person" });
    expect(example).to.deep.include({ id: 5, name: "text", role: "admin", either: true });
    expect(example).to.have.nested.property("whole.at", "2026-01-31");
    expect(JSON.stringify(example).length).to.be.lessThan(1_000);
    const flat = { ...person, properties: { ...person.properties, friends: { type: "array" } } };
    const validate = new Ajv({ allowUnionTypes: true, validateFormats: false }).compile(flat);
    expect(validate(exampleOf(document, flat)), JSON.stringify(validate.errors)).to.equal(true);
  });
});
