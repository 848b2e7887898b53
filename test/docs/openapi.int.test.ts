import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { createValidators } from "../../src/http/validate.ts";
import { sessionEventTypes } from "../../src/contracts/session-events.ts";
import { useWholeApi } from "../support/whole-api.ts";

type Documented = {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
  components: { schemas: Record<string, unknown> };
};

/** The path with a placeholder value for each parameter. */
function callable(path: string): string {
  return path.replaceAll(/\{\w+\}/gu, "1");
}

describe("the OpenAPI description", () => {
  const api = useWholeApi();
  let document: Documented;
  before("read the document", async () => {
    document = (await api.call("GET /api/openapi.json")).body as Documented;
  });

  const described = () =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        ...operation,
      })),
    );

  it("contains every served operation, and no other", () => {
    const served = api.routes.map(({ method, path }) => `${method} /api${path}`);
    const names = described().map(({ name }) => name);
    expect(names.toSorted()).to.deep.equal(served.toSorted());
  });

  it("contains only reachable paths", async () => {
    for (const { name } of described()) {
      const [method = "", path = ""] = name.split(" ");
      const answer = await api.call(`${method} ${callable(path)}`);
      const detail = String(answer.body?.detail);
      expect(answer.status, name).to.not.equal(405);
      expect(detail, name).to.not.equal("The path is not part of the API.");
    }
  });

  it("is made from valid schemas of input, which a process compiles at their first use only", () => {
    const schemas = new Ajv({ strict: false });
    const compile = createValidators();
    for (const route of api.routes) {
      const name = `${route.method} ${route.path}`;
      for (const schema of [route.params, route.query, route.body]) {
        const isValid = schema === undefined || schemas.validateSchema(schema);
        expect(isValid, `${name}: ${schemas.errorsText()}`).to.equal(true);
      }
      const validate = compile(route);
      try {
        validate({ params: {}, query: {}, body: undefined });
      } catch (thrown) {
        expect(thrown, name).to.be.instanceOf(Problem);
      }
    }
  });

  it("is valid OpenAPI 3.1.0", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
    expect(validator.version).to.equal("3.1");
    expect(document).to.include({ openapi: "3.1.0" });
  });

  it("names each operation once, with a one-sentence summary", () => {
    const ids = described().map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const { name, summary } of described()) {
      expect(summary, name).to.match(/^[A-Z].+[^.]$/u);
    }
  });

  it("describes the timeline in OpenAPI 3.0.0, with the deprecated type", async () => {
    const { body } = await api.call("GET /api/v3/openapi.json");
    const validator = new Validator();
    expect((await validator.validate(structuredClone(body))).errors).to.equal(undefined);
    expect(validator.version).to.equal("3.0");
    expect(body).to.include({ openapi: "3.0.0" });
    expect(body.info.version).to.equal("3.0");
    expect(Object.keys(body.paths)).to.deep.equal(["/api/v3/tickets/{ticketId}/events"]);
    const { get } = body.paths["/api/v3/tickets/{ticketId}/events"];
    expect(get).to.include({ operationId: "api.v3.tickets.events" });
    expect(get.tags).to.deep.equal(["tickets"]);
    expect(Object.keys(get.responses)).to.deep.equal(["200", "400", "401", "403", "404", "429"]);
    const { TicketEvent: entry, ...schemas } = body.components.schemas;
    expect(entry.anyOf).to.have.length(sessionEventTypes.length);
    const deprecated = Object.keys(schemas).filter((name) => schemas[name].deprecated === true);
    expect(deprecated).to.deep.equal(["TicketInvitationExpiredEvent"]);
  });
});
