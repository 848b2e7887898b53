import { created, noContent, ok, route, type Route } from "../http/route.ts";
import {
  presentSubscription,
  presentHealthDetails,
  changeWebhookSchema,
  createWebhookSchema,
  type ChangeWebhookBody,
  type CreateWebhookBody,
  createdWebhookAnswer,
  eventCatalogueAnswer,
  webhookAnswer,
  webhookHealthAnswer,
  webhookListAnswer,
} from "./present.ts";
import { actorOf, authorOf } from "../http/authorize.ts";
import { eventCatalogue } from "./event-catalogue.ts";
import { webhookParams, type WebhookParams } from "../http/schema.ts";
import {
  rotateKeySchema,
  rotateSecretSchema,
  type RotateKeyBody,
  type RotateSecretBody,
} from "./signing-keys.ts";
import type { WebhookService } from "./service.ts";

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

const writing = { ...reading, permission: "webhooks.write" } as const;

/** The operations of webhooks. `event-types` precedes `{webhookId}`, which would match it. */
export function createWebhookRoutes(webhooks: WebhookService): Route[] {
  return [
    route({
      ...reading,
      method: "GET",
      path: "/webhooks",
      operationId: "listWebhooks",
      summary: "List the webhooks of the enterprise",
      answer: { status: 200, schema: webhookListAnswer },
      handle: async ({ caller }) => {
        const data = (await webhooks.list(authorOf(caller))).map((one) => presentSubscription(one));
        return ok({ total: data.length, data });
      },
    }),
    route<unknown, unknown, CreateWebhookBody>({
      ...writing,
      method: "POST",
      path: "/webhooks",
      operationId: "createWebhook",
      summary: "Create a webhook; only this response contains its secret",
      body: createWebhookSchema,
      answer: { status: 201, schema: createdWebhookAnswer },
      problems: ["quota_reached"],
      alsoCheck: (request) => webhooks.check(request.body),
      handle: async (request) => {
        const { subscription, secret } = await webhooks.create(actorOf(request), request.body);
        return created(
          presentSubscription(subscription, secret),
          `/api/webhooks/${subscription.id}`,
        );
      },
    }),
    route({
      ...reading,
      method: "GET",
      path: "/webhooks/event-types",
      operationId: "listEventTypes",
      summary: "List the event types that webhooks can subscribe to",
      answer: { status: 200, schema: eventCatalogueAnswer },
      handle: async () => ok(eventCatalogue),
    }),
    ...singleRoutes(webhooks),
    ...rotationRoutes(webhooks),
    healthRoute(webhooks),
  ];
}

function singleRoutes(webhooks: WebhookService): Route[] {
  return [
    route<WebhookParams>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}",
      operationId: "getWebhook",
      summary: "Read a webhook",
      params: webhookParams,
      answer: { status: 200, schema: webhookAnswer },
      handle: async ({ caller, params }) =>
        ok(presentSubscription(await webhooks.get(authorOf(caller), params.webhookId))),
    }),
    route<WebhookParams, unknown, ChangeWebhookBody>({
      ...writing,
      method: "PATCH",
      path: "/webhooks/{webhookId}",
      operationId: "changeWebhook",
      summary: "Change, enable or disable a webhook",
      params: webhookParams,
      body: changeWebhookSchema,
      answer: { status: 200, schema: webhookAnswer },
      alsoCheck: (request) => webhooks.check(request.body),
      handle: async (request) => {
        const { params, body } = request;
        return ok(
          presentSubscription(await webhooks.update(actorOf(request), params.webhookId, body)),
        );
      },
    }),
    route<WebhookParams>({
      ...writing,
      method: "DELETE",
      path: "/webhooks/{webhookId}",
      operationId: "deleteWebhook",
      summary: "Delete a webhook and cancel its waiting deliveries",
      params: webhookParams,
      answer: { status: 204 },
      handle: async (request) => {
        await webhooks.remove(actorOf(request), request.params.webhookId);
        return noContent;
      },
    }),
  ];
}

function rotationRoutes(webhooks: WebhookService): Route[] {
  return [
    route<WebhookParams, unknown, RotateSecretBody>({
      ...writing,
      method: "POST",
      path: "/webhooks/{webhookId}/rotate-secret",
      operationId: "rotateWebhookSecret",
      summary: "Rotate the signing secret; the old secret signs for a transition period",
      params: webhookParams,
      body: rotateSecretSchema,
      answer: { status: 200, schema: createdWebhookAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const { params, body } = request;
        const { subscription, secret } = await webhooks.rotateSecret(
          actorOf(request),
          params.webhookId,
          body,
        );
        return ok(presentSubscription(subscription, secret));
      },
    }),
    route<WebhookParams, unknown, RotateKeyBody>({
      ...writing,
      method: "POST",
      path: "/webhooks/{webhookId}/rotate-key",
      operationId: "rotateWebhookKey",
      summary: "Rotate the key pair of v1a signatures; the old key signs for a transition period",
      params: webhookParams,
      body: rotateKeySchema,
      answer: { status: 200, schema: webhookAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const { params, body } = request;
        return ok(
          presentSubscription(await webhooks.rotateKey(actorOf(request), params.webhookId, body)),
        );
      },
    }),
  ];
}

function healthRoute(webhooks: WebhookService): Route {
  return route<WebhookParams>({
    ...reading,
    method: "GET",
    path: "/webhooks/{webhookId}/health",
    operationId: "getWebhookHealth",
    summary: "Read the health and the backlog of a webhook",
    params: webhookParams,
    answer: { status: 200, schema: webhookHealthAnswer },
    handle: async ({ caller, params }) => {
      const { subscription, standing } = await webhooks.readHealth(
        authorOf(caller),
        params.webhookId,
      );
      return ok(presentHealthDetails(subscription, standing));
    },
  });
}
