import { expect } from "chai";
import { describeApi } from "../../../src/http/openapi/document.ts";
import { noContent, route } from "../../../src/http/route.ts";

const text = { type: "string", maxLength: 9, pattern: "^[a-z]+$" };

const watch = route({
  summary: "Watch notes",
  permission: "tickets.read",
  family: "solution",
  limit: "api",
  method: "GET",
  path: "/notes/stream",
  operationId: "watch",
  query: { type: "object", required: ["from"], properties: { from: text, after: text } },
  answer: { status: 200, produces: ["text/event-stream"] },
  handle: async () => noContent,
});

describe("the description of an operation", () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads a deeply nested document
  const document: any = describeApi({ routes: [watch], baseUrl: "https://sightline.example" });
  const { parameters, responses } = document.paths["/api/notes/stream"].get;

  it("allows empty values for optional query parameters only", () => {
    const from = { name: "from", in: "query", required: true, schema: text };
    const after = { ...from, name: "after", required: false, allowEmptyValue: true };
    expect(parameters).to.deep.equal([from, after]);
  });

  it("describes an event stream as text", () => {
    const content = { "text/event-stream": { schema: { type: "string" } } };
    expect(responses["200"].content).to.deep.equal(content);
  });
});
