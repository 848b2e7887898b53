import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { createAudit } from "../../src/audit/audit-log.ts";
import { createInboxRouter, type InboxRouterDeps } from "../../src/inbox/routes.ts";
import { deleteInboxRequests } from "../../src/inbox/store.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createSecretBox, type SecretBox } from "../../src/platform/secret-box.ts";
import { createWebhookService, type WebhookService } from "../../src/subscriptions/service.ts";
import { anEnterprise } from "./factories.ts";

/** The secret with which requests to all inboxes of the tests are signed. */
export const inboxSecret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;

export type InboxServer = {
  /** Base URL of the server, without a trailing slash. */
  base: string;
  webhooks: WebhookService;
  secretBox: SecretBox;
  close(): Promise<void>;
};

/** The inbox on a real server, mounted like in the web process, with one-word pages. */
export async function startInboxServer(db: Db): Promise<InboxServer> {
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const bases: string[] = [];
  const webhooks = createWebhookService({
    db,
    secretBox,
    ids: randomIds,
    clock: systemClock,
    log: { info: () => undefined } as never,
    checkUrl: async (href) => ({ isAllowed: true, href }),
    inbox: { bases, deleteRequests: deleteInboxRequests },
    audit: createAudit(),
    onChanged: () => undefined,
  });
  const log = { error: () => undefined } as never;
  const baseUrl = "https://demo.example";
  const app = express();
  app.set("query parser", "simple");
  const examplesFor: InboxRouterDeps["examplesFor"] = (request) =>
    request.get("via") === undefined
      ? { login: "admin@demo.example", agent: "agent@demo.example" }
      : { login: "<login>", agent: "<login>" };
  const showPage: InboxRouterDeps["showPage"] = async (response, page, status) => {
    response.status(status).send(`the page ${page}`);
  };
  app.use("/inbox", createInboxRouter({ db, log, webhooks, baseUrl, examplesFor, showPage }));
  const server: Server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bases.push(base);
  return {
    base,
    webhooks,
    secretBox,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export type MadeInbox = { url: string; key: string; enterpriseId: number; subscriptionId: number };

/** An inbox: an active subscription of a new enterprise, whose URL ends with a new key. */
export async function anInbox(
  db: Db,
  { base, webhooks }: Pick<InboxServer, "base" | "webhooks">,
): Promise<MadeInbox> {
  const enterpriseId = (await anEnterprise(db)).id;
  const key = randomIds.base62(22);
  const url = `${base}/inbox/${key}`;
  const { subscription } = await webhooks.create(
    { enterpriseId, userId: null, login: "admin@test.example" },
    { url, active: true, secret: inboxSecret },
  );
  return { url, key, enterpriseId, subscriptionId: subscription.id };
}
