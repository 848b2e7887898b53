/** Tokens, users, enterprises with their settings, and services. */
import { randomIds } from "../../../src/platform/ids.ts";
import type { ClassifiedRoutes } from "./kinds.ts";
import { administer, createEnterprises, readUsers, runPlatform } from "./roles.ts";

const token = { family: "platform", access: "everybody", target: "none" } as const;
const me = { family: "solution", access: "everybody", target: "none", status: 200 } as const;

const user = { family: "solution", access: administer, target: "user" } as const;
const users = { family: "solution", access: readUsers, target: "none", status: 200 } as const;
const enterprise = {
  family: "solution",
  access: administer,
  target: "enterprise",
  status: 200,
} as const;
const group = { ...enterprise, target: "group" } as const;
const service = {
  family: "solution",
  access: administer,
  target: "service",
  status: 200,
} as const;
const button = { ...service, target: "button" } as const;

function word(): string {
  return randomIds.hex(8);
}

function survey() {
  return { enabled: true, questions: [{ label: { en: "Well?" } }], feedback: false };
}

export const accountRoutes: ClassifiedRoutes = {
  "DELETE /token": { ...token, status: 204 },
  "GET /users/me": me,
  "PATCH /users/me": { ...me, body: () => ({ firstname: word() }) },
  "GET /users/me/services": me,
  "GET /browser-session": { ...token, status: 200 },
  "GET /users/me/sessions": { ...token, status: 200 },
  "DELETE /users/me/sessions/{sessionId}": {
    ...{ ...token, target: "ownBrowserSession", status: 204 },
  },
  "GET /users/me/api-tokens": { ...token, status: 200 },
  "POST /users/me/api-tokens": { ...token, status: 201, body: () => ({ name: word() }) },
  "DELETE /users/me/api-tokens/{tokenId}": { ...token, target: "ownApiToken", status: 204 },

  "GET /users": users,
  "POST /users": {
    ...{ ...user, target: "none", status: 201 },
    body: () => ({ login: `${word()}@new.example`, password: "Correct-Horse-7", role: "viewer" }),
  },
  "GET /users/{userId}": { ...user, access: readUsers, status: 200 },
  "PATCH /users/{userId}": { ...user, status: 200, body: () => ({ firstname: word() }) },
  "DELETE /users/{userId}": { ...user, status: 204 },
  "POST /users/{userId}/password-reset": { ...user, status: 202 },
  "DELETE /users/{userId}/tokens": { ...user, status: 204 },

  "GET /enterprises": {
    ...{ ...enterprise, target: "none", sees: { admin: "managed", superadmin: "every" } },
  },
  "POST /enterprises": {
    ...{ ...enterprise, access: createEnterprises, target: "none", status: 201 },
    body: () => ({
      name: `New ${word()}`,
      admin: { login: `${word()}@new.example`, password: "Correct-Horse-7" },
    }),
  },
  "GET /enterprises/{enterpriseId}": enterprise,
  "PATCH /enterprises/{enterpriseId}": { ...enterprise, body: () => ({ sms_sender: "Sender" }) },
  "GET /enterprises/{enterpriseId}/statistics": enterprise,
  "GET /enterprises/{enterpriseId}/quota": enterprise,
  "GET /enterprises/{enterpriseId}/audit": enterprise,
  "GET /enterprises/{enterpriseId}/api-tokens": enterprise,
  "DELETE /enterprises/{enterpriseId}/api-tokens/{tokenId}": {
    ...{ ...enterprise, target: "apiToken", status: 204 },
  },
  "GET /enterprises/{enterpriseId}/users": { ...enterprise, access: readUsers },
  "GET /enterprises/{enterpriseId}/services": enterprise,
  "GET /enterprises/{enterpriseId}/user-groups": { ...enterprise, access: readUsers },
  "POST /enterprises/{enterpriseId}/user-groups": {
    ...{ ...enterprise, status: 201 },
    body: () => ({ name: word() }),
  },
  "PATCH /enterprises/{enterpriseId}/user-groups/{groupId}": {
    ...group,
    body: () => ({ name: word() }),
  },
  "DELETE /enterprises/{enterpriseId}/user-groups/{groupId}": { ...group, status: 204 },
  "GET /enterprises/{enterpriseId}/domains": enterprise,
  "POST /enterprises/{enterpriseId}/domains": {
    ...{ ...enterprise, status: 201 },
    body: () => ({ domain: `${word()}.example` }),
  },
  "DELETE /enterprises/{enterpriseId}/domains/{domainId}": {
    ...{ ...enterprise, target: "domain", status: 204 },
  },

  "GET /platform/queues": { ...token, access: runPlatform, status: 200 },
  "GET /platform/health": { ...token, access: runPlatform, status: 200 },

  "GET /services": { ...service, target: "none" },
  "POST /services": {
    ...{ ...service, target: "none", status: 201 },
    body: () => ({ name: word(), kind: "ticket" }),
  },
  "GET /services/{serviceId}": service,
  "PATCH /services/{serviceId}": { ...service, body: () => ({ name: word() }) },
  "DELETE /services/{serviceId}": { ...service, status: 204 },
  "POST /services/{serviceId}/rotate-key": service,
  "GET /services/{serviceId}/survey": service,
  "PUT /services/{serviceId}/survey": { ...service, body: survey },
  "GET /services/{serviceId}/buttons": service,
  "POST /services/{serviceId}/buttons": {
    ...{ ...service, status: 201 },
    body: () => ({ name: word() }),
  },
  "PATCH /services/{serviceId}/buttons/{buttonId}": { ...button, body: () => ({ name: word() }) },
  "DELETE /services/{serviceId}/buttons/{buttonId}": { ...button, status: 204 },
};
