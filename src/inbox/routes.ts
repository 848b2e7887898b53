/**
 * The built-in inbox: `POST /inbox/{key}` receives requests, `GET /inbox/{key}` is the page, which
 * reads `GET /inbox/{key}/requests`. An inbox exists as long as a subscription's URL is its
 * address. Deleting the subscription deletes the inbox and its requests. With `?status=503` the
 * inbox answers with this status, to demonstrate retries.
 */
import { randomUUID } from "node:crypto";
import express, {
  type ErrorRequestHandler,
  type Request,
  type Response,
  type Router,
} from "express";
import { invalidParameter, problem } from "../contracts/problems.ts";
import { sendProblem, toProblem } from "../http/answer.ts";
import { securityHeaders } from "../http/http-server.ts";
import { systemClock, type Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/pool.ts";
import { toError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import {
  countRequests,
  type HeaderList,
  type InboxRange,
  type InboxRequest,
  insertRequests,
  hasValidSignature,
  listRequests,
  maskHeaders,
  type NewInboxRequest,
} from "./store.ts";
import { createBatcher } from "../platform/concurrency/async.ts";

export type InboxRouterDeps = {
  db: Db;
  log: Pick<Logger, "error">;
  webhooks: { findInboxSecrets: FindSecrets };
  /** Public address, without a trailing slash. */
  baseUrl: string;
  /** For the age of signatures. */
  clock?: Clock;
  /**
   * Logins in the example commands of the page: one to sign in with, and one that handles the first
   * ticket. They are the platform's, and the inbox may belong to any enterprise, so they depend on
   * the requester.
   */
  examplesFor(request: Request): Readonly<{ login: string; agent: string }>;
  /** Sends the page of an inbox, or of an unknown one, with this status. */
  showPage(response: Response, page: "inbox" | "inbox/unknown", status: number): Promise<void>;
};

/**
 * Secrets and public keys of the subscriptions that send to this inbox; undefined for an unknown key.
 */
export type FindSecrets = (key: string) => Promise<readonly string[] | undefined>;

export type InboxDeps = { db: Db; clock: Clock; findSecrets: FindSecrets };

export type ReceivedRequest = { headers: HeaderList; body: Buffer };

export type InboxPage = { total: number; requests: InboxRequest[]; hasMore: boolean };

/** Every function throws "not found" for an unknown key. */
export type Inbox = {
  check(key: string): Promise<void>;
  receive(key: string, arrival: ReceivedRequest): Promise<void>;
  list(key: string, range: InboxRange): Promise<InboxPage>;
};

/** The raw bytes, as they were signed. */
const readRaw = express.raw({ type: () => true, limit: 256 * 1024, inflate: false });

/** Mounted under `/inbox`. */
export function createInboxRouter(deps: InboxRouterDeps): Router {
  const { db, clock = systemClock, webhooks } = deps;
  const inbox = createInbox({ db, clock, findSecrets: webhooks.findInboxSecrets });
  const router = express.Router();
  router.use(securityHeaders());
  router.post("/:key", readRaw, receive(inbox));
  router.get("/:key", show(inbox, deps));
  router.get("/:key/requests", list(inbox, deps));
  router.use(answerFault(deps));
  return router;
}

/** Other keys are not looked up. */
const keyPattern = /^[A-Za-z0-9]{22}$/u;

const maxBatch = 200;

function createInbox({ db, clock, findSecrets }: InboxDeps): Inbox {
  const writer = createBatcher<NewInboxRequest, void>(async (requests) => {
    await insertRequests(db, requests);
    return requests.map(() => undefined);
  }, maxBatch);

  const secretsOf = async (key: string): Promise<readonly string[]> => {
    const secrets = keyPattern.test(key) ? await findSecrets(key) : undefined;
    if (secrets === undefined) {
      throw problem("not_found", "The inbox was not found.");
    }
    return secrets;
  };

  return {
    check: async (key) => {
      await secretsOf(key);
    },
    receive: async (key, { headers, body }) => {
      const secrets = await secretsOf(key);
      const signed = {
        id: valueOf(headers, "webhook-id"),
        timestamp: valueOf(headers, "webhook-timestamp"),
        signature: valueOf(headers, "webhook-signature"),
        body,
      };
      await writer.add({
        key,
        headers: maskHeaders(headers),
        body: body.toString("utf8"),
        isVerified: secrets.length === 0 ? null : hasValidSignature(signed, secrets, clock.now()),
      });
    },
    list: async (key, range) => {
      await secretsOf(key);
      return { total: await countRequests(db, key), ...(await listRequests(db, key, range)) };
    },
  };
}

function valueOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([input]) => input.toLowerCase() === name)?.[1];
}

function receive(inbox: Inbox) {
  return async (request: Request, response: Response): Promise<void> => {
    const status = statusOf(request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await inbox.receive(keyOf(request), { headers: pairsOf(request.rawHeaders), body });
    response.status(status).end();
  };
}

/** The status to answer with: 204, or the one in `?status`. */
function statusOf(request: Request): number {
  const status = numberOf(request, "status", 204);
  if (status < 200 || status > 599) {
    throw invalidParameter("status", "range", "The status must be between 200 and 599.");
  }
  return status;
}

function pairsOf(rawHeaders: readonly string[]): HeaderList {
  return Array.from(
    { length: rawHeaders.length / 2 },
    (_, index) => [rawHeaders[index * 2] ?? "", rawHeaders[index * 2 + 1] ?? ""] as const,
  );
}

/** Sends the page of an inbox, or of an unknown one. */
function show(inbox: Inbox, { showPage }: InboxRouterDeps) {
  return async (request: Request, response: Response): Promise<void> => {
    try {
      await inbox.check(keyOf(request));
    } catch (thrown) {
      if (toProblem(thrown).kind !== "not_found") {
        throw thrown;
      }
      await showPage(response, "inbox/unknown", 404);
      return;
    }
    await showPage(response, "inbox", 200);
  };
}

const defaultLimit = 50;

const maxLimit = 100;

function list(inbox: Inbox, { baseUrl, examplesFor }: InboxRouterDeps) {
  return async (request: Request, response: Response): Promise<void> => {
    const limit = numberOf(request, "limit", defaultLimit);
    if (limit < 1 || limit > maxLimit) {
      throw invalidParameter("limit", "range", `The limit must be between 1 and ${maxLimit}.`);
    }
    const { total, requests, hasMore } = await inbox.list(keyOf(request), {
      after: numberOf(request, "after", 0),
      before: numberOf(request, "before", Number.MAX_SAFE_INTEGER),
      limit,
    });
    const shown = requests.map(present);
    response.set("Cache-Control", "no-store");
    const examples = { baseUrl, ...examplesFor(request) };
    response.json({ total, hasMore, requests: shown, examples });
  };
}

function numberOf(request: Request, name: string, fallback: number): number {
  const text = request.query[name];
  if (text === undefined) {
    return fallback;
  }
  const value = typeof text === "string" && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
  if (value === undefined) {
    throw invalidParameter(
      name,
      "format",
      `The ${name} field is invalid: it must be a whole number.`,
    );
  }
  return value;
}

function keyOf(request: Request): string {
  return String(request.params["key"]);
}

function present(request: InboxRequest) {
  return {
    id: request.id,
    received: request.received.toISOString(),
    verified: request.isVerified,
    headers: request.headers,
    body: request.body,
  };
}

function answerFault({ baseUrl, log }: InboxRouterDeps): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const fault = toProblem(thrown);
    const requestId = randomUUID();
    if (fault.kind === "internal") {
      log.error({ requestId, reason: toError(thrown).message }, "inbox.failed");
    }
    sendProblem(response, fault, { baseUrl, requestId, isOauth: false });
  };
}
