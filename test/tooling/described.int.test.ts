import { expect } from "chai";
import { problem } from "../../src/contracts/problems.ts";
import { publicRoute, type Answer } from "../../src/http/route.ts";
import { startApi, type TestApi } from "../support/api.ts";
import { takeAnswerFaults } from "../support/described.ts";

const schema = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: { id: { type: "integer" }, name: { type: ["string", "null"] } },
} as const;

describe("the validation of every response against its schema", () => {
  let api: TestApi;
  let act: () => Answer;
  const common = { summary: "x", limit: "guest", method: "GET" } as const;
  const handle = async () => act();
  before(async () => {
    api = await startApi({
      routes: [
        publicRoute({
          ...common,
          path: "/things",
          operationId: "one",
          answer: { status: 200, schema },
          handle,
        }),
        publicRoute({
          ...common,
          path: "/lists",
          operationId: "list",
          query: { type: "object", properties: { limit: {}, offset: {} } },
          answer: { status: 200, schema },
          handle,
        }),
        publicRoute({
          ...common,
          path: "/files",
          operationId: "file",
          answer: { status: 200, produces: ["image/*"] },
          handle,
        }),
      ],
    });
  });
  after(() => api.close());

  const call = async (path: string, how: () => Answer) => {
    act = how;
    const response = await fetch(`${api.url}/api${path}`);
    return { status: response.status, text: await response.text(), faults: takeAnswerFaults() };
  };
  const image = { type: "image/png", data: "x" };

  for (const [name, path, how] of [
    ["a body as it is described", "/things", () => ({ status: 200, body: { id: 1, name: null } })],
    [
      "members that are left out of JSON",
      "/things",
      () => ({ status: 200, body: { id: 1, x: undefined } }),
    ],
    ["a file of a type that is described", "/files", () => ({ status: 200, content: image })],
    ["a part of a file", "/files", () => ({ status: 206, content: image })],
  ] as [string, string, () => Answer][]) {
    it(`accepts ${name}`, async () => {
      const { status, faults } = await call(path, how);
      expect(faults).to.deep.equal([]);
      expect(status).to.be.oneOf([200, 206]);
    });
  }

  for (const [name, path, how, fault] of [
    ["a member too many", "/things", () => ({ status: 200, body: { id: 1, x: 1 } }), "additional"],
    ["a member too few", "/things", () => ({ status: 200, body: {} }), "required property 'id'"],
    ["a member of another type", "/things", () => ({ status: 200, body: { id: "1" } }), "body/id"],
    ["another status", "/things", () => ({ status: 202, body: { id: 1 } }), "the status 202"],
    ["no body", "/things", () => ({ status: 200 }), "the body is missing"],
    [
      "a body where a file is described",
      "/files",
      () => ({ status: 200, body: {} }),
      "a body is not",
    ],
    [
      "a file of another type",
      "/files",
      () => ({ status: 200, content: { ...image, type: "text/html" } }),
      "text/html",
    ],
    [
      "a list without its total",
      "/lists",
      () => ({ status: 200, body: { id: 1 } }),
      "X-Total-Count",
    ],
    [
      "a problem that is not described",
      "/things",
      () => {
        throw problem("quota_reached", "No more.");
      },
      "the problem 16",
    ],
  ] as [string, string, () => Answer, string][]) {
    it(`answers 500 to ${name}, and records it`, async () => {
      const { status, text, faults } = await call(path, how);
      expect(status).to.equal(500);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.include(fault);
      expect(text).to.include("not as the API is described");
    });
  }
});
