import { expect } from "chai";
import { describeApi } from "../../../src/http/openapi/document.ts";
import { noContent, route } from "../../../src/http/route.ts";

const text = { type: "string", maxLength: 9, pattern: "^[a-z]+$" };

const fields = { type: "object", required: ["from"], properties: { from: text, after: text } };

const common = {
  permission: "tickets.read",
  family: "solution",
  limit: "api",
  handle: async () => noContent,
} as const;

const watch = route({
  ...common,
  summary: "Watch notes",
  method: "GET",
  path: "/notes/stream",
  operationId: "watch",
  query: fields,
  answer: { status: 200, produces: ["text/event-stream"] },
});

const write = route({
  ...common,
  summary: "Write a note",
  method: "POST",
  path: "/notes",
  operationId: "write",
  transport: "any",
  body: fields,
  answer: { status: 204 },
});

describe("the description of an operation", () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads a deeply nested document
  const document: any = describeApi({
    routes: [watch, write],
    baseUrl: "https://sightline.example",
  });
  const { parameters, responses } = document.paths["/api/notes/stream"].get;

  it("allows empty values for optional query parameters only", () => {
    const from = { name: "from", in: "query", required: true, schema: text };
    const after = { ...from, name: "after", required: false, allowEmptyValue: true };
    expect(parameters).to.deep.equal([from, after]);
  });

  it("allows them also where a field may be in the query or in the body", () => {
    const from = { name: "from", in: "query", required: false, schema: text };
    const after = { ...from, name: "after", allowEmptyValue: true };
    expect(document.paths["/api/notes"].post.parameters).to.deep.equal([from, after]);
  });

  it("describes an event stream as text", () => {
    const content = { "text/event-stream": { schema: { type: "string" } } };
    expect(responses["200"].content).to.deep.equal(content);
  });
});
