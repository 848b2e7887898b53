import { ok, route, type Route } from "../../http/route.ts";
import { webhookParams, type WebhookParams } from "../schema.ts";
import { presentTest } from "./present.ts";
import { testAnswer, testSchema, type TestBody } from "./schema.ts";
import type { TestSends } from "./service.ts";

/** The operation that tries a webhook out. */
export function testSendRoutes(tests: TestSends): Route[] {
  return [
    route<WebhookParams, unknown, TestBody>({
      permission: "webhooks.write",
      family: "platform",
      limit: "api",
      method: "POST",
      path: "/webhooks/{webhookId}/test",
      operationId: "testWebhook",
      summary: "Send a sample, or an event of the past, at once, and see the receiver's answer",
      params: webhookParams,
      body: testSchema,
      answer: { status: 200, schema: testAnswer },
      problems: ["conflict"],
      handle: async ({ caller, requestId, params, body }) => {
        const { enterpriseId, userId, login } = caller;
        const actor = { enterpriseId, userId, login, requestId };
        return ok(presentTest(await tests.send(actor, params.webhookId, body)));
      },
    }),
  ];
}
