import { invalidParameter } from "../../contracts/problems.ts";
import { ok, route, type Route } from "../../http/route.ts";
import { parseBound } from "../../http/values.ts";
import type { Clock } from "../../platform/clock.ts";
import { webhookParams, type WebhookParams } from "../../http/schema.ts";
import { actorOf } from "../../http/authorize.ts";
import { recoveryAnswer, recoveryPreviewAnswer, presentPreview, presentReplay } from "./present.ts";
import { refuseFuture } from "./criteria.ts";
import type { Recoveries, PendingRetries } from "./recover.ts";
import { recoverySchema, type RecoveryBody } from "./schema.ts";

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

/** What a webhook lost since some time, in one step. */
export function recoveryRoutes({
  recoveries,
  clock,
}: Readonly<{ recoveries: Recoveries; clock: Clock }>): Route[] {
  return [
    route<WebhookParams, unknown, RecoveryBody>({
      ...reading,
      permission: "webhooks.write",
      method: "POST",
      path: "/webhooks/{webhookId}/recover",
      operationId: "recoverWebhook",
      summary: "Deliver again everything that was not delivered since a time",
      params: webhookParams,
      body: recoverySchema,
      transport: "any",
      answer: { status: 202, schema: recoveryAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const { params, body } = request;
        const input = { since: sinceOf(body, clock.now()), rate: body.rate };
        const started = await recoveries.start(actorOf(request), params.webhookId, input);
        return {
          status: 202,
          body: {
            ...presentReplay(started, clock.now()),
            retries: presentRetries(started.retries),
          },
          headers: { Location: `/api/webhooks/replays/${started.replay.id}` },
        };
      },
    }),
    route<WebhookParams, unknown, RecoveryBody>({
      ...reading,
      method: "POST",
      path: "/webhooks/{webhookId}/recover/preview",
      operationId: "previewWebhookRecovery",
      summary: "Preview a recovery",
      params: webhookParams,
      body: recoverySchema,
      transport: "any",
      answer: { status: 200, schema: recoveryPreviewAnswer },
      problems: ["conflict"],
      handle: async ({ caller, params, body }) => {
        const found = await recoveries.preview(
          caller,
          params.webhookId,
          sinceOf(body, clock.now()),
        );
        return ok({ ...presentPreview(found.preview), retries: presentRetries(found.retries) });
      },
    }),
  ];
}

function sinceOf({ since }: RecoveryBody, now: Date): Date {
  const date = parseBound("since", since);
  if (date === undefined) {
    throw invalidParameter(
      "since",
      "required",
      "The since field is required: the time since which events were not delivered.",
    );
  }
  refuseFuture(date, now);
  return date;
}

function presentRetries({ count, isMore }: PendingRetries) {
  return { count, more: isMore };
}
