import { expect } from "chai";
import { problem } from "../../src/contracts/problems.ts";
import { toLoggableError, toProblem } from "../../src/http/answer.ts";

function withCode(code: string, message = "x"): Error {
  return Object.assign(new Error(message), { code });
}

describe("error mapping", () => {
  for (const error of [
    withCode("ECONNREFUSED"),
    withCode("ECONNRESET"),
    withCode("57P01", "terminating connection due to administrator command"),
    withCode("57P03", "the database system is starting up"),
    withCode("53300", "sorry, too many clients already"),
    withCode("57014", "canceling statement due to statement timeout"),
    withCode("40P01", "deadlock detected"),
    withCode("08006"),
    new Error("Connection terminated unexpectedly"),
    new Error("Query read timeout"),
    new Error("timeout exceeded when trying to connect"),
    new Error("Knex: Timeout acquiring a connection. The pool is probably full."),
    new Error("select 1", { cause: withCode("ECONNREFUSED") }),
    Object.assign(new AggregateError([withCode("ECONNREFUSED")], ""), { code: "ECONNREFUSED" }),
  ]) {
    const name = (error as { code?: string }).code ?? error.message;
    it(`maps ${name} to a dependency that is down, with Retry-After`, () => {
      const found = toProblem(error);
      expect(found.kind).to.equal("dependency_down");
      expect(Number(found.headers["Retry-After"])).to.be.greaterThan(0);
    });
  }

  for (const thrown of [
    new TypeError("Cannot read properties of undefined"),
    withCode("23505", "duplicate key value"),
    withCode("42703", "column does not exist"),
    "a string",
    undefined,
  ]) {
    it(`maps ${String(thrown)} to an internal error without details`, () => {
      const found = toProblem(thrown);
      expect(found.kind).to.equal("internal");
      expect(found.message).to.equal("An internal error occurred and was logged. Try again later.");
    });
  }

  const withStatus = (error: Error, more: object): Error => Object.assign(error, more);

  for (const [name, error, kind] of [
    [
      "a path that Express cannot decode",
      withStatus(new URIError("Failed to decode param '%ff'"), { status: 400 }),
      "invalid_parameter",
    ],
    [
      "a file that is not there",
      withStatus(new Error("ENOENT: /srv/secret"), { status: 404, expose: true }),
      "not_found",
    ],
    [
      "a range that a file does not have",
      withStatus(new Error("Range Not Satisfiable"), { status: 416, expose: true }),
      "invalid_parameter",
    ],
  ] as const) {
    it(`maps ${name} to a client error without details`, () => {
      const found = toProblem(error);
      expect(found.kind).to.equal(kind);
      expect(JSON.stringify([found.message, found.details])).to.not.contain(error.message);
    });
  }

  for (const error of [
    new URIError("URI malformed"),
    withStatus(new Error("another service said 404"), { status: 404 }),
    withStatus(new Error("a fault of ours"), { status: 500, expose: true }),
  ]) {
    it(`maps "${error.message}" to an internal error`, () => {
      expect(toProblem(error).kind).to.equal("internal");
    });
  }

  it("leaves a problem unchanged", () => {
    const known = problem("conflict", "No.");
    expect(toProblem(known)).to.equal(known);
  });

  it("maps a body that is too large", () => {
    expect(toProblem(Object.assign(new Error("x"), { type: "entity.too.large" })).kind).to.equal(
      "too_large",
    );
  });

  it("logs an error without the members in which drivers put values", () => {
    const error = Object.assign(withCode("23505", "duplicate key"), {
      detail: "Key (login)=(x@y)",
    });
    const described = toLoggableError(new Error("outer", { cause: error }));
    expect(JSON.stringify(described)).to.contain("duplicate key").and.contain("23505");
    expect(JSON.stringify(described)).to.not.contain("x@y");
  });
});
