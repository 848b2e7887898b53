/** The refusal that has to be written without a request: its headers did not fit. */
import { randomUUID } from "node:crypto";
import { maxHeaderSize } from "node:http";
import { problem, problemCatalogue } from "../contracts/problems.ts";
import { problemBody } from "./problem-body.ts";

const kilobytes = Math.floor(maxHeaderSize / 1024);

const detail = `The request line and the headers have more than ${kilobytes} KB. Send long fields in the body, not in the query.`;

/** A whole answer: status line, headers, and the same body as every other refusal. */
export function headersTooLarge(baseUrl: string) {
  return (): string => {
    const requestId = randomUUID();
    const fault = problem("headers_too_large", detail);
    const body = JSON.stringify(problemBody(fault, { baseUrl, requestId, isOauth: false }));
    const { status, title } = problemCatalogue[fault.kind];
    return [
      `HTTP/1.1 ${status} ${title}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff",
      "Connection: close",
      "",
      body,
    ].join("\r\n");
  };
}
