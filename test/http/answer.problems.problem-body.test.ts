import { expect } from "chai";
import { invalidParameter, problem } from "../../src/contracts/problems.ts";
import { problemBody } from "../../src/http/answer.ts";

const context = {
  baseUrl: "https://sightline.example",
  requestId: "0b9a1c0e-6f1d-4c38-9a52-5a8c7d0a8f11",
  isOauth: false,
};

describe("problem body", () => {
  it("has exactly the documented members, in order", () => {
    const body = problemBody(
      invalidParameter("phone", "format", "The phone field is invalid."),
      context,
    );
    expect(JSON.stringify(body)).to.equal(
      '{"type":"https://sightline.example/problems/invalid-parameter","title":"Invalid parameter",' +
        '"status":400,"detail":"The phone field is invalid.",' +
        '"instance":"urn:uuid:0b9a1c0e-6f1d-4c38-9a52-5a8c7d0a8f11","code":10,' +
        '"message":"The phone field is invalid.","details":"Parameter phone",' +
        '"errors":[{"field":"phone","reason":"format"}]}',
    );
  });

  it("has empty details and errors if there are none", () => {
    const body = problemBody(problem("not_found", "Ticket 12 was not found."), context);
    expect(body).to.include({ details: "", code: 8, status: 404 });
    expect(body.errors).to.deep.equal([]);
    expect(body).to.not.have.property("error");
  });

  it("has an error code on 429", () => {
    const body = problemBody(problem("rate_limited", "Too many requests."), context);
    expect(body.error).to.equal("too_many_requests");
  });

  it("has an OAuth error code on every problem of the token endpoint", () => {
    const wordOf = (kind: "internal" | "missing_parameter" | "bad_login", error?: string) =>
      problemBody(problem(kind, "x", error === undefined ? {} : { error }), {
        ...context,
        isOauth: true,
      }).error;
    expect(wordOf("missing_parameter")).to.equal("invalid_request");
    expect(wordOf("missing_parameter", "invalid_scope")).to.equal("invalid_scope");
    expect(wordOf("bad_login")).to.equal("invalid_grant");
    expect(wordOf("internal")).to.equal("server_error");
  });
});
