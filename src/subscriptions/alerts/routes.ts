/** The operations of alerts. */
import {
  noContent,
  ok,
  publicRoute,
  route,
  type AnyRoute,
  type PublicRoute,
  type Route,
} from "../../http/route.ts";
import { actorOf, authorOf } from "../../http/authorize.ts";
import { webhookParams, type WebhookParams } from "../../http/schema.ts";
import type { AlertChange, WebhookAlertChange } from "./model.ts";
import {
  presentAlerts,
  presentWebhookAlerts,
  alertLinkSchema,
  alertsAnswer,
  changeAlertsSchema,
  changeWebhookAlertsSchema,
  confirmedAnswer,
  webhookAlertsAnswer,
  type AlertLinkBody,
} from "./present.ts";
import type { Alerts } from "./service.ts";

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

const writing = { ...reading, permission: "webhooks.write" } as const;

export function alertRoutes(alerts: Alerts): AnyRoute[] {
  return [...companyRoutes(alerts), ...webhookRoutes(alerts), ...linkRoutes(alerts)];
}

function companyRoutes(alerts: Alerts): Route[] {
  return [
    route({
      ...reading,
      method: "GET",
      path: "/alerts",
      operationId: "getAlerts",
      summary: "Read the alert settings and recipients of the enterprise",
      answer: { status: 200, schema: alertsAnswer },
      handle: async ({ caller }) => ok(presentAlerts(await alerts.get(authorOf(caller)))),
    }),
    route<unknown, unknown, AlertChange>({
      ...writing,
      method: "PATCH",
      path: "/alerts",
      operationId: "changeAlerts",
      summary: "Change the alert settings and recipients of the enterprise",
      body: changeAlertsSchema,
      answer: { status: 200, schema: alertsAnswer },
      problems: ["quota_reached"],
      handle: async (request) =>
        ok(presentAlerts(await alerts.update(actorOf(request), request.body))),
    }),
  ];
}

function webhookRoutes(alerts: Alerts): Route[] {
  return [
    route<WebhookParams>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/alerts",
      operationId: "getWebhookAlerts",
      summary: "Read the alert settings of a webhook",
      params: webhookParams,
      answer: { status: 200, schema: webhookAlertsAnswer },
      handle: async ({ caller, params }) =>
        ok(presentWebhookAlerts(await alerts.getWebhook(authorOf(caller), params.webhookId))),
    }),
    route<WebhookParams, unknown, WebhookAlertChange>({
      ...writing,
      method: "PATCH",
      path: "/webhooks/{webhookId}/alerts",
      operationId: "changeWebhookAlerts",
      summary: "Change the alert settings of a webhook; null inherits the enterprise's",
      params: webhookParams,
      body: changeWebhookAlertsSchema,
      answer: { status: 200, schema: webhookAlertsAnswer },
      handle: async (request) => {
        const { params, body } = request;
        return ok(
          presentWebhookAlerts(
            await alerts.updateWebhook(actorOf(request), params.webhookId, body),
          ),
        );
      },
    }),
  ];
}

/** Public, because links in mails work without signing in. Not GET, which mail scanners open. */
function linkRoutes(alerts: Alerts): PublicRoute[] {
  return [
    publicRoute<AlertLinkBody>({
      method: "POST",
      path: "/alerts/emails/confirm",
      operationId: "confirmAlertEmail",
      summary: "Confirm an alert address with the token of a mailed link",
      limit: "tokenIp",
      body: alertLinkSchema,
      answer: { status: 200, schema: confirmedAnswer },
      problems: ["gone"],
      handle: async ({ body, requestId }) => ok(await alerts.confirm(body.token, requestId)),
    }),
    publicRoute<AlertLinkBody>({
      method: "POST",
      path: "/alerts/emails/stop",
      operationId: "stopAlertEmail",
      summary: "Unsubscribe an address from alerts with the token of a mailed link",
      limit: "tokenIp",
      body: alertLinkSchema,
      answer: { status: 204 },
      problems: ["gone"],
      handle: async ({ body, requestId }) => {
        await alerts.stop(body.token, requestId);
        return noContent;
      },
    }),
  ];
}
