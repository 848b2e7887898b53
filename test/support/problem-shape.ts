import { expect } from "chai";
import { problemCatalogue, type ProblemKind } from "../../src/contracts/problems.ts";
import { testBaseUrl } from "./api.ts";
import type { ApiAnswer } from "./whole-api.ts";

const members = [
  ...["type", "title", "status", "detail", "instance", "code", "message", "details", "errors"],
];

/** Text that appears in a response only if a stack trace, an SQL error or a file name leaks. */
const internals = /\bat \/|node_modules|\.ts:\d|SELECT |INSERT |violates|ECONN/u;

/** Expects the complete problem with its media type and without internal details. */
export function expectProblem(answer: ApiAnswer, kind: ProblemKind, what = ""): void {
  const { status, code, title, slug } = problemCatalogue[kind];
  const found = `${what}${what === "" ? "" : ": "}${answer.status} ${answer.text.slice(0, 500)}`;
  expect(`${answer.status} ${answer.body?.code}`, found).to.equal(`${status} ${code}`);
  expect(answer.headers.get("content-type"), found).to.equal("application/problem+json");
  expect(answer.body, found).to.include({ status, code, title });
  expect(answer.body, found).to.include({ type: `${testBaseUrl}/problems/${slug}` });
  expect(answer.body.instance, found).to.equal(`urn:uuid:${answer.headers.get("x-request-id")}`);
  expect(answer.body.message, found).to.equal(answer.body.detail).and.not.equal("");
  expect(answer.body.details, found).to.be.a("string").and.not.equal(answer.body.detail);
  const known = answer.body.error === undefined ? members : [...members, "error"];
  expect(Object.keys(answer.body).toSorted(), found).to.deep.equal(known.toSorted());
  expect(answer.text, found).to.not.match(internals);
}

/** Expects a 400 that names the invalid fields, each with a reason. */
export function expectFieldFault(answer: ApiAnswer, what = ""): string[] {
  const kind = answer.body?.code === 9 ? "missing_parameter" : "invalid_parameter";
  expectProblem(answer, kind, what);
  const faults = answer.body.errors as { field: string; reason: string }[];
  expect(faults, `${what}: ${answer.text}`).to.not.deep.equal([]);
  for (const fault of faults) {
    expect(Object.keys(fault), answer.text).to.deep.equal(["field", "reason"]);
    expect(fault.field, answer.text).to.not.equal("");
    expect(fault.reason, answer.text).to.match(/^[a-zA-Z_]+$/u);
  }
  expect(answer.body.details, answer.text).to.match(/^(Parameter|Header) /u);
  return faults.map(({ field }) => field);
}
