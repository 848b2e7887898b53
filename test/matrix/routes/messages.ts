/** Messages, their templates, and webhooks. */
import type { ClassifiedRoutes } from "./kinds.ts";
import { administer, messages, webhooks } from "./roles.ts";

const message = { family: "platform", access: messages, status: 200 } as const;
const webhook = { family: "platform", target: "webhook", status: 200, access: webhooks } as const;

const ofService = { family: "solution", access: administer, target: "service" } as const;
const ofEnterprise = { family: "solution", access: administer, target: "enterprise" } as const;

/** Of a kind that no other test has a template of. */
const wording = () => ({ kind: "cancel", channel: "sms", language: "nl", text: "Tot ziens" });

export const messageRoutes: ClassifiedRoutes = {
  "POST /sms": {
    ...{ ...message, target: "none", status: 201 },
    body: () => ({ to: "+33612345678", text: "Hello" }),
  },
  "GET /sms": { ...message, target: "none" },
  "GET /sms/{messageId}": { ...message, target: "sms" },
  "POST /emails": {
    ...{ ...message, target: "none", status: 201 },
    body: () => ({ to: "jane@example.com", subject: "Hello", text: "Hello" }),
  },
  "GET /emails": { ...message, target: "none" },
  "GET /emails/{messageId}": { ...message, target: "email" },

  "GET /service/{serviceId}/templates": { ...ofService, status: 200 },
  "PUT /service/{serviceId}/templates": { ...ofService, status: 200, body: wording },
  "POST /service/{serviceId}/templates/preview": {
    ...{ ...ofService, status: 200, isReading: true },
    body: wording,
  },
  "DELETE /service/{serviceId}/templates/{templateId}": {
    ...{ ...ofService, target: "serviceTemplate", status: 204 },
  },
  "GET /enterprises/{enterpriseId}/templates": { ...ofEnterprise, status: 200 },
  "PUT /enterprises/{enterpriseId}/templates": { ...ofEnterprise, status: 200, body: wording },
  "POST /enterprises/{enterpriseId}/templates/preview": {
    ...{ ...ofEnterprise, status: 200, isReading: true },
    body: wording,
  },
  "DELETE /enterprises/{enterpriseId}/templates/{templateId}": {
    ...{ ...ofEnterprise, target: "enterpriseTemplate", status: 204 },
  },

  "GET /webhooks": { ...webhook, target: "none" },
  "POST /webhooks": {
    ...{ ...webhook, target: "none", status: 201 },
    body: () => ({ name: "Mine", filters: ["ticket.*"] }),
  },
  "GET /webhooks/event-types": { ...webhook, target: "none" },
  "GET /webhooks/{webhookId}": webhook,
  "PATCH /webhooks/{webhookId}": { ...webhook, body: () => ({ name: "Another name" }) },
  "DELETE /webhooks/{webhookId}": { ...webhook, status: 204 },
  "GET /webhooks/{webhookId}/deliveries": webhook,
  "GET /webhooks/{webhookId}/deliveries/{deliveryId}": { ...webhook, target: "delivery" },
};
