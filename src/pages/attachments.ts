/**
 * The public URLs of files: `/attachments/{hash}/{filename}?e=…&s=…`. A signed URL grants access to
 * the file until it expires. Without a signature an access token is needed.
 */
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Router, type Request, type Response } from "express";
import type { Reach } from "../contracts/permissions.ts";
import { problem, type ToFault } from "../contracts/problems.ts";
import type { Logger } from "../platform/logger.ts";
import {
  isClientGone,
  sendProblem,
  toLoggableError,
  toProblem,
  untilReadable,
} from "../http/answer.ts";
import {
  authorize,
  badToken,
  bearerToken,
  noToken,
  type Authenticated,
} from "../http/authorize.ts";
import { parseRange, fileHeaders, type FileFacts } from "../http/file-answers.ts";
import type { ByteRange } from "../platform/blobs/store.ts";
import type { Caller } from "../http/route.ts";
import { securityHeaders } from "../http/http-server.ts";

/** A readable file. */
export type Attachment = FileFacts &
  Readonly<{
    open(range?: ByteRange): Promise<Readable>;
    /** The problem of a stream that fails before its first byte. */
    toFault: ToFault;
  }>;

export type AttachmentReader = Pick<Caller, "enterpriseId" | "userId" | "groupIds"> &
  Readonly<{ reach: Reach }>;

export type AttachmentDeps = Readonly<{
  /** `gone`: the file was deleted. Undefined: it never existed, or is not complete yet. */
  find(hash: string): Promise<Attachment | "gone" | undefined>;
  isSigned(hash: string, input: { e: string; s: string }): boolean;
  /** Throws 404 for another enterprise's file, 403 if it is out of reach. */
  requireReadable(reader: AttachmentReader, hash: string): Promise<void>;
  authenticate(token: string): Promise<Authenticated | undefined>;
  /** Public address, without a trailing slash. */
  baseUrl: string;
  log: Pick<Logger, "error">;
}>;

/** Serves GET and HEAD under `/attachments`; other paths are passed on. */
export function createAttachments(deps: AttachmentDeps): Router {
  const router = Router();
  router.get("/attachments/:hash/:filename", securityHeaders(), serveWith(deps));
  return router;
}

function serveWith(deps: AttachmentDeps) {
  return async (request: Request, response: Response): Promise<void> => {
    try {
      await sendFile(request, response, await requireFile(deps, request));
    } catch (thrown) {
      sendFault(deps, response, thrown);
    }
  };
}

async function sendFile(request: Request, response: Response, file: Attachment): Promise<void> {
  const etag = fileHeaders(file).ETag;
  const range = parseRange({ header: (name) => request.get(name) }, { bytes: file.bytes, etag });
  if (range === "unsatisfiable") {
    response.status(416).set("Content-Range", `bytes */${file.bytes}`).end();
    return;
  }
  const isKnown = isUnchanged(request, etag);
  // Before the headers: a refusal must not be kept like the file.
  const stream = isKnown || request.method === "HEAD" ? undefined : await file.open(range);
  if (stream !== undefined) {
    await untilReadable(stream, response, file.toFault);
  }
  response.set(fileHeaders(file, range)).set("Content-Type", file.type);
  if (isKnown) {
    response.removeHeader("Content-Length");
    response.status(304);
  } else {
    response.status(range === undefined ? 200 : 206);
  }
  if (stream === undefined) {
    response.end();
  } else {
    await pipeline(stream, response);
  }
}

function isUnchanged(request: Request, etag: string): boolean {
  return (request.get("if-none-match") ?? "").split(",").some((tag) => tag.trim() === etag);
}

/**
 * Looks up the file before the signature is checked: an expired link to a deleted file says that
 * the file is gone.
 */
async function requireFile(deps: AttachmentDeps, request: Request): Promise<Attachment> {
  const hash = textOrEmpty(request.params["hash"]);
  const file = await deps.find(hash);
  if (file === undefined) {
    throw problem("not_found", "The file was not found.");
  }
  if (file === "gone") {
    throw problem("gone", "The file was deleted.");
  }
  if (request.query["s"] === undefined) {
    await requireToken(deps, request, hash);
  } else {
    requireSignature(deps, request, hash);
  }
  return file;
}

async function requireToken(deps: AttachmentDeps, request: Request, hash: string): Promise<void> {
  const token = bearerToken(request.get("authorization"));
  if (token === undefined) {
    throw noToken();
  }
  const authenticated = await deps.authenticate(token);
  if (authenticated === undefined) {
    throw badToken();
  }
  const reach = authorize(authenticated, { permission: "media.read", family: "platform" });
  const { enterpriseId, userId, groupIds } = authenticated.caller;
  await deps.requireReadable({ enterpriseId, userId, groupIds, reach }, hash);
}

function requireSignature(deps: AttachmentDeps, request: Request, hash: string): void {
  const { e, s } = request.query;
  if (!deps.isSigned(hash, { e: textOrEmpty(e), s: textOrEmpty(s) })) {
    throw problem("forbidden", "The signature of the address is invalid or expired.", {
      details: "Parameter s",
    });
  }
}

function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function sendFault(deps: AttachmentDeps, response: Response, thrown: unknown): void {
  const requestId = randomUUID();
  const fault = toProblem(thrown);
  const isOurs = fault.kind === "internal" || fault.kind === "dependency_down";
  if (isOurs && !isClientGone(thrown)) {
    deps.log.error({ requestId, err: toLoggableError(thrown) }, "attachment.failed");
  }
  if (response.headersSent) {
    response.destroy(); // too late for a problem: a truncated answer must not look complete
    return;
  }
  sendProblem(response, fault, { baseUrl: deps.baseUrl, requestId, isOauth: false });
}
