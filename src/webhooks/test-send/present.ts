import { maskedValue, maskRequestHeaders, maskResponseHeaders } from "../custom-headers.ts";
import type { Tested } from "./service.ts";
import type { TestOutcome } from "./ports.ts";

/** What was sent and what came back. Of the URL the origin: path and query often hold a key. */
export function presentTest({ messageId, body, sent }: Tested) {
  return {
    webhook_id: messageId,
    sent: {
      url: `${new URL(sent.url).origin}/${maskedValue}`,
      headers: maskRequestHeaders(sent.headers),
      body,
    },
    result: presentOutcome(sent.result),
  };
}

function presentOutcome(outcome: TestOutcome) {
  const isAnswered = outcome.kind === "answered";
  return {
    code: isAnswered ? outcome.status : null,
    ms: outcome.durationMs,
    error: isAnswered ? null : outcome.failure,
    error_detail: isAnswered ? (outcome.note ?? null) : outcome.detail,
    phases: outcome.phases,
    headers: isAnswered ? maskResponseHeaders(outcome.headers) : null,
    body: isAnswered ? startOf(outcome.body) : null,
  };
}

const shownBytes = 2 * 1024;

/** The first 2 KB; a character that the cut went through is dropped. */
function startOf(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length <= shownBytes
    ? text
    : bytes
        .subarray(0, shownBytes)
        .toString("utf8")
        .replace(/\uFFFD$/u, "");
}
