/** Messages and their templates. */
import type { ClassifiedRoutes } from "./kinds.ts";
import { administer, messages } from "./roles.ts";

const message = { family: "platform", access: messages, status: 200 } as const;

const ofService = { family: "solution", access: administer, target: "service" } as const;
const ofEnterprise = { family: "solution", access: administer, target: "enterprise" } as const;

/** A template of a kind that no other test uses. */
function wording() {
  return { kind: "cancel", channel: "sms", language: "nl", text: "Tot ziens" };
}

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
};
