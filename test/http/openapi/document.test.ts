import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "chai";
import { describeApi, describeEventsApi } from "../../../src/http/openapi/document.ts";
import { guestRoute, noContent, publicRoute, route } from "../../../src/http/route.ts";

const id = {
  type: "object",
  required: ["ticketId"],
  properties: { ticketId: { type: "integer" } },
};
const summary = "What it does";
const common = { summary, permission: "tickets.read", family: "solution", limit: "api" } as const;
async function handle() {
  return noContent;
}

const note = {
  title: "Note",
  type: "object",
  additionalProperties: false,
  required: ["text"],
  properties: { text: { type: ["string", "null"] } },
} as const;

const events = route({
  ...common,
  method: "GET",
  path: "/tickets/{ticketId}/events",
  operationId: "api.v3.tickets.events",
  limit: "events",
  params: id,
  query: {
    type: "object",
    properties: { limit: { type: "integer" }, offset: { type: "integer" } },
  },
  answer: { status: 200, schema: { title: "Notes", type: "array", items: note } },
  handle,
});
const create = route({
  ...common,
  method: "POST",
  path: "/notes",
  operationId: "create",
  transport: "any",
  isIdempotent: true,
  aliases: ["/createNote"],
  isDeprecated: true,
  body: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  answer: { status: 201, schema: note },
  problems: ["quota_reached"],
  handle,
});
const upload = guestRoute({
  summary,
  method: "POST",
  path: "/guest/files",
  operationId: "upload",
  roles: ["requestor"],
  limit: "room",
  transport: "multipart",
  body: { type: "object", properties: { title: { type: "string" } } },
  answer: { status: 204 },
  handle,
});
const download = publicRoute({
  summary,
  method: "GET",
  path: "/files/{name}",
  operationId: "download",
  limit: "guest",
  answer: { status: 200, produces: ["image/png"] },
  handle,
});
const send = route({
  ...common,
  method: "PUT",
  path: "/notes",
  operationId: "send",
  transport: "bytes",
  accepts: ["video/webm"],
  answer: { status: 202 },
  handle,
});
/** Limits that apply to every field. */
const anyText = { type: "string", pattern: "^[^\\x00]*$" };
const anyInteger = { type: "integer", maximum: Number.MAX_SAFE_INTEGER };

/** An optional query parameter: an empty value counts as absent. */
const leftOut = { in: "query", required: false, allowEmptyValue: true };

const api = {
  routes: [events, create, upload, download, send],
  baseUrl: "https://sightline.example",
};

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads a deeply nested document
function documentOf(describe: typeof describeApi): any {
  return JSON.parse(JSON.stringify(describe(api))) as unknown;
}

function header(name: string) {
  return { $ref: `#/components/headers/${name}` };
}
function problem(name: string) {
  return { $ref: `#/components/responses/Problem${name}` };
}
const limits = {
  "X-Request-Id": header("X-Request-Id"),
  "X-RateLimit-Limit": header("X-RateLimit-Limit"),
  "X-RateLimit-Remaining": header("X-RateLimit-Remaining"),
  "X-RateLimit-Reset": header("X-RateLimit-Reset"),
};

describe("the description of the API", () => {
  it("is valid OpenAPI in both versions", async () => {
    const whole = new Validator();
    expect((await whole.validate(documentOf(describeApi))).errors).to.equal(undefined);
    expect(whole.version).to.equal("3.1");
    const timeline = new Validator();
    expect((await timeline.validate(documentOf(describeEventsApi))).errors).to.equal(undefined);
    expect(timeline.version).to.equal("3.0");
  });

  it("describes an operation completely", () => {
    const media = {
      schema: {
        type: "object",
        properties: { text: anyText },
      },
    };
    expect(documentOf(describeApi).paths["/api/notes"].post).to.deep.equal({
      operationId: "create",
      tags: ["notes"],
      summary,
      description: "Needs the permission `tickets.read`. Also at `POST /api/createNote`.",
      deprecated: true,
      security: [{ access_token: [] }],
      parameters: [
        { name: "text", in: "query", required: false, schema: anyText },
        { $ref: "#/components/parameters/IdempotencyKey" },
      ],
      requestBody: {
        description:
          "Each field can be in the query or in the body. If it is in both, the body counts. Required in one of them: `text`.",
        required: false,
        content: { "application/json": media, "application/x-www-form-urlencoded": media },
      },
      responses: {
        "201": {
          description: "Created",
          headers: {
            ...limits,
            Location: header("Location"),
            "Idempotent-Replayed": header("Idempotent-Replayed"),
          },
          content: { "application/json": { schema: { $ref: "#/components/schemas/Note" } } },
        },
        "400": problem("400Code9Or10"),
        "401": problem("401Code3Or4"),
        "403": problem("403Code6Or7Or16Or18"),
        "406": problem("406Code19"),
        "409": problem("409Code11"),
        "413": problem("413Code13"),
        "415": problem("415Code14"),
        "429": problem("429Code12"),
        "431": problem("431Code20"),
        "500": problem("500Code1"),
        "503": problem("503Code2"),
      },
    });
  });

  it("describes problems with their codes and an example", () => {
    const { responses } = documentOf(describeApi).components;
    expect(responses.Problem429Code12).to.deep.equal({
      description: "Rate limit reached (code 12)",
      headers: {
        "Retry-After": header("Retry-After"),
        "X-RateLimit-Limit": header("X-RateLimit-Limit"),
        "X-RateLimit-Remaining": header("X-RateLimit-Remaining"),
        "X-RateLimit-Reset": header("X-RateLimit-Reset"),
      },
      content: {
        "application/problem+json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Problem" },
              { type: "object", properties: { code: { type: "integer", enum: [12] } } },
            ],
          },
          example: {
            type: "https://sightline.example/problems/rate-limited",
            title: "Rate limit reached",
            status: 429,
            detail: "Rate limit reached.",
            instance: "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
            code: 12,
            message: "Rate limit reached.",
            details: "",
            errors: [],
            error: "too_many_requests",
          },
        },
      },
    });
  });

  it("describes uploads and downloads, and their permissions", () => {
    const { paths } = documentOf(describeApi);
    const binary = { type: "string", format: "binary" };
    const { post } = paths["/api/guest/files"];
    expect(post.security).to.deep.equal([{ room_token: [] }]);
    expect(post.requestBody.content).to.deep.equal({
      "multipart/form-data": {
        schema: {
          type: "object",
          additionalProperties: false,
          required: ["file"],
          properties: { file: binary, title: anyText },
        },
      },
    });
    const { get } = paths["/api/files/{name}"];
    expect(get.security).to.deep.equal([]);
    expect(get.responses["206"].content).to.deep.equal({ "image/png": { schema: binary } });
    expect(Object.keys(get.responses)).to.deep.equal([
      "200",
      "206",
      "400",
      "404",
      "406",
      "410",
      "429",
      "431",
      "500",
      "503",
    ]);
    expect(paths["/api/notes"].put.requestBody.content).to.deep.equal({
      "video/webm": { schema: binary },
    });
  });

  it("describes only the timeline of tickets in OpenAPI 3.0.0", () => {
    const { components, ...document } = documentOf(describeEventsApi);
    expect(document).to.deep.equal({
      openapi: "3.0.0",
      info: { title: "Ticket events", version: "3.0" },
      servers: [{ url: "https://sightline.example" }],
      tags: [{ name: "tickets" }],
      paths: {
        "/api/v3/tickets/{ticketId}/events": {
          get: {
            operationId: "api.v3.tickets.events",
            tags: ["tickets"],
            summary,
            description: "Needs the permission `tickets.read`.",
            security: [{ access_token: [] }],
            parameters: [
              { name: "ticketId", in: "path", required: true, schema: anyInteger },
              { name: "limit", ...leftOut, schema: anyInteger },
              { name: "offset", ...leftOut, schema: anyInteger },
            ],
            responses: {
              "200": {
                description: "Done",
                headers: {
                  ...limits,
                  "X-Total-Count": header("X-Total-Count"),
                  Link: header("Link"),
                },
                content: { "application/json": { schema: { $ref: "#/components/schemas/Notes" } } },
              },
              "400": problem("400Code9Or10"),
              "401": problem("401Code3Or4"),
              "403": problem("403Code6Or7Or18"),
              "404": problem("404Code8"),
              "429": problem("429Code12"),
            },
          },
        },
      },
    });
    expect(components.schemas.Note.properties.text).to.deep.equal({
      type: "string",
      nullable: true,
    });
    expect(Object.keys(components.securitySchemes)).to.deep.equal(["access_token"]);
  });
});
