import { expect } from "chai";
import type { Parameter } from "../../../web/api-docs/document.ts";
import { callOf, curlOf, missingIn } from "../../../web/api-docs/request.ts";

const parameters: Parameter[] = [
  { name: "ticketId", in: "path", required: true },
  { name: "since", in: "query" },
  { name: "limit", in: "query" },
  { name: "Idempotency-Key", in: "header" },
];
const operation = { method: "POST", path: "/api/tickets/{ticketId}/events" };
function filled(values: Record<string, string>, body = "") {
  return {
    values: new Map(Object.entries(values)),
    body,
  };
}

describe("a request of the try-it form", () => {
  it("contains the filled-in values in their location, and no empty ones", () => {
    const input = { ticketId: "7/8", since: "2026-01-01T00:00:00+01:00", limit: "" };
    expect(callOf(operation, parameters, filled({ ...input, "Idempotency-Key": "a" }, "{}")))
      .to //
      .deep.equal({
        method: "POST",
        path: "/api/tickets/7%2F8/events?since=2026-01-01T00%3A00%3A00%2B01%3A00",
        headers: { "Idempotency-Key": "a", "Content-Type": "application/json" },
        body: "{}",
      });
    const get = callOf(
      { ...operation, method: "GET" },
      parameters,
      filled({ ticketId: "1" }, "{}"),
    );
    expect([get.headers, get.body]).to.deep.equal([{}, undefined]);
  });

  it("is not sent while a required value is missing", () => {
    expect(missingIn(parameters, filled({ since: "x" }))).to.deep.equal(["ticketId"]);
    expect(missingIn(parameters, filled({ ticketId: "1" }))).to.deep.equal([]);
  });

  it("is shown as a shell-safe curl command without the token", () => {
    const call = callOf(operation, parameters, filled({ ticketId: "1" }, `{"name":"D'Arc $x"}`));
    expect(curlOf(call, { base: "https://example.com", hasToken: true })).to.equal(
      [
        "curl -X POST 'https://example.com/api/tickets/1/events'",
        '-H "Authorization: Bearer $TOKEN"',
        "-H 'Content-Type: application/json'",
        String.raw`--data '{"name":"D'\''Arc $x"}'`,
      ].join(" \\\n  "),
    );
    const open = callOf({ method: "GET", path: "/livez" }, [], filled({}));
    expect(curlOf(open, { base: "", hasToken: false })).to.equal("curl '/livez'");
  });
});
