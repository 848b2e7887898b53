import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { createAudit } from "../../src/audit/audit.ts";
import type { Role } from "../../src/contracts/permissions.ts";
import { createApiRouter } from "../../src/http/router.ts";
import type { Caller } from "../../src/http/route.ts";
import { systemClock, type Clock } from "../../src/platform/clock.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createAddressGuard } from "../../src/platform/net/address-guard.ts";
import { createSecretBox, type SecretBox } from "../../src/platform/secret-box.ts";
import { createWebhookRoutes } from "../../src/webhooks/routes.ts";
import { createWebhookService, type WebhookService } from "../../src/webhooks/service.ts";
import { checkAnswer } from "./described.ts";
import { aUser, anEnterprise } from "./factories.ts";

export type ApiAnswer = {
  status: number;
  headers: Headers;
  // What the API answers is looked at key by key.
  body: Record<string, any>; // oxlint-disable-line no-explicit-any -- a test reads unknown JSON
};

/** Calls the API as one user. */
export type Call = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

export type WebhookApi = {
  service: WebhookService;
  secretBox: SecretBox;
  /** How often the service said that something has changed. */
  readonly changes: number;
  as(caller: Caller): Call;
  close(): Promise<void>;
};

const allowed = async () => ({ isAllowed: true, limit: 1, remaining: 1, resetSeconds: 1 });
const unlimited = { take: allowed, peek: allowed, forget: async () => undefined };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Names that the tests resolve; every other name is unknown. */
const addresses: Record<string, string> = {
  "receiver.example": "93.184.215.14",
  "inside.example": "10.0.0.5",
};

const resolver = {
  resolve: async (hostname: string) => {
    const address = addresses[hostname];
    if (address === undefined) {
      throw new Error("ENOTFOUND");
    }
    return [{ address, family: 4 }];
  },
};

/** The webhook operations on a real HTTP server, with the real router and address guard. */
export const startWebhookApi = async (db: Db, clock: Clock = systemClock): Promise<WebhookApi> => {
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const guard = createAddressGuard({ areLocalReceiversAllowed: false, allowList: [], resolver });
  const counted = { changes: 0 };
  const service = createWebhookService({
    db,
    secretBox,
    ids: randomIds,
    clock,
    log: silent as never,
    checkUrl: guard.checkResolved,
    inbox: { bases: ["https://sightline.example"], forget: async () => undefined },
    audit: createAudit(),
    onChanged: () => {
      counted.changes += 1;
    },
  });
  const callers = new Map<string, Caller>();
  const router = createApiRouter({
    routes: createWebhookRoutes(service),
    authenticate: async (token) => {
      const caller = callers.get(token);
      return caller === undefined ? undefined : { caller, hasSolution: true };
    },
    verifyRoomToken: async () => undefined,
    limits: {
      api: unlimited,
      events: unlimited,
      tokenIp: unlimited,
      guest: unlimited,
      room: unlimited,
      guestUpload: unlimited,
      callback: unlimited,
    },
    idempotency: {} as never,
    baseUrl: "https://sightline.example",
    log: silent as never,
    checkAnswer,
  });
  const server = express().use(router).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return {
    service,
    secretBox,
    get changes() {
      return counted.changes;
    },
    as: (caller) => {
      callers.set(caller.token, caller);
      return (method, path, body) => callApi(`${base}${path}`, method, caller.token, body);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};

const callApi = async (
  url: string,
  method: string,
  token: string,
  body: unknown,
): Promise<ApiAnswer> => {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? {} : JSON.parse(text)) as ApiAnswer["body"],
  };
};

/** A user of an enterprise of its own, or of the one given. */
export const aCaller = async (
  db: Db,
  role: Role = "admin",
  enterpriseId?: number,
): Promise<Caller> => {
  const enterprise = enterpriseId ?? (await anEnterprise(db)).id;
  const user = await aUser(db, { enterprise_id: enterprise, role });
  return {
    userId: user.id,
    enterpriseId: enterprise,
    login: user.login,
    role,
    accountType: "solution",
    groupIds: [],
    token: randomIds.hex(16),
  };
};
