import { actorOf } from "../../http/authorize.ts";
import { ok, route, type Route, type JsonSchema } from "../../http/route.ts";
import {
  eventIdMembers,
  exactObject,
  integer,
  nullableInteger,
  nullableText,
  oldNameOf,
  presentEventId,
  text,
  webhookParams,
  type WebhookParams,
} from "../../http/schema.ts";
import type { TestSends, TestReport, TestOutcome } from "./service.ts";
import {
  maskedValue,
  maskRequestHeaders,
  maskResponseHeaders,
} from "../../contracts/request-headers.ts";

export type TestBody = {
  filter?: string;
  event_id?: string;
  /** The old name of `event_id`, kept for one version. */
  event?: string;
};

const eventIdField = { type: "string", pattern: "^evt_[0-9A-Za-z-]{1,64}$" } as const;

const texts = { type: "object", additionalProperties: text };

const testSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    filter: { type: "string", maxLength: 128 },
    event_id: eventIdField,
    event: oldNameOf("event_id", eventIdField),
  },
};

const testAnswer: JsonSchema = exactObject("WebhookTest", {
  ...eventIdMembers,
  sent: exactObject("WebhookTestRequest", { url: text, headers: texts, body: text }),
  result: exactObject("WebhookTestResult", {
    code: nullableInteger,
    ms: integer,
    error: nullableText,
    error_detail: nullableText,
    phases: { type: "object", additionalProperties: { type: "number" } },
    headers: { type: ["object", "null"], additionalProperties: text },
    body: nullableText,
  }),
});

/** The operation that sends a test event. */
export function testSendRoutes(tests: TestSends): Route[] {
  return [
    route<WebhookParams, unknown, TestBody>({
      permission: "webhooks.write",
      family: "platform",
      limit: "api",
      method: "POST",
      path: "/webhooks/{webhookId}/test",
      operationId: "testWebhook",
      summary: "Send a test event, or a past event, and return the receiver's response",
      params: webhookParams,
      body: testSchema,
      answer: { status: 200, schema: testAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const { params, body } = request;
        const choice = { filter: body.filter, eventId: body.event_id ?? body.event };
        return ok(presentTest(await tests.send(actorOf(request), params.webhookId, choice)));
      },
    }),
  ];
}

/** Request and response. Only the origin of the URL: path and query often contain a key. */
export function presentTest({ eventId, body, sent }: TestReport) {
  return {
    ...presentEventId(eventId),
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
    body: isAnswered ? truncateBody(outcome.body) : null,
  };
}

const shownBytes = 2 * 1024;

/** The first 2 KB, without a partial character at the end. */
function truncateBody(body: string): string {
  const bytes = Buffer.from(body, "utf8");
  return bytes.length <= shownBytes
    ? body
    : bytes
        .subarray(0, shownBytes)
        .toString("utf8")
        .replace(/\uFFFD$/u, "");
}
