import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { problemCatalogue, type Problem } from "../contracts/problems.ts";
import { problemBody } from "./problems.ts";
import type { Answer, AnswerContent } from "./route.ts";

/** Rejects where a stream of the answer breaks; if `headersSent` is false then, a problem fits. */
export async function sendAnswer(response: Response, answer: Answer): Promise<void> {
  if (answer.content !== undefined) {
    await sendContent(response, answer, answer.content);
    return;
  }
  setHeaders(response, answer);
  if (answer.body === undefined) {
    response.end();
  } else {
    sendJson(response, "application/json", answer.body);
  }
}

async function sendContent(
  response: Response,
  answer: Answer,
  { data, type }: AnswerContent,
): Promise<void> {
  if (data instanceof Readable) {
    await sendStream(response, answer, data);
    return;
  }
  setHeaders(response, answer);
  sendBytes(response, type, typeof data === "string" ? Buffer.from(data) : data);
}

/** No faster than the client takes it. The stream is destroyed when the client goes. */
async function sendStream(response: Response, answer: Answer, stream: Readable): Promise<void> {
  try {
    await untilReadable(stream, response);
    setHeaders(response, answer);
    response.setHeader("Content-Type", answer.content?.type ?? "application/octet-stream");
    if (response.req.method === "HEAD") {
      response.end();
      return;
    }
    await pipeline(stream, response);
  } catch (thrown) {
    if (!isClientGone(thrown)) {
      throw thrown;
    }
  } finally {
    stream.destroy();
  }
}

/** Resolves when the first bytes are there, or the end is; until then it may still be a problem. */
async function untilReadable(stream: Readable, response: Response): Promise<void> {
  const gone = (): void => void stream.destroy();
  response.once("close", gone);
  try {
    if (!stream.readableEnded && stream.readableLength === 0) {
      await Promise.race([once(stream, "readable"), once(stream, "end"), once(stream, "close")]);
    }
  } finally {
    response.off("close", gone);
  }
}

function setHeaders(response: Response, { status, headers = {} }: Omit<Answer, "body">): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, value);
  }
}

/** What a client can cause by going away. */
export function isClientGone(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | undefined)?.code === "ERR_STREAM_PREMATURE_CLOSE";
}

export function sendProblem(
  response: Response,
  problem: Problem,
  context: { baseUrl: string; requestId: string; isOauth: boolean },
): void {
  response.statusCode = problemCatalogue[problem.kind].status;
  for (const [name, value] of Object.entries(problem.headers)) {
    response.setHeader(name, value);
  }
  sendJson(response, "application/problem+json", problemBody(problem, context));
}

function sendJson(response: Response, contentType: string, body: unknown): void {
  sendBytes(response, contentType, Buffer.from(JSON.stringify(body)));
}

function sendBytes(response: Response, contentType: string, bytes: Buffer): void {
  response.setHeader("Content-Type", contentType);
  response.setHeader("Content-Length", bytes.length);
  response.end(bytes); // Node itself leaves the body away where the method is HEAD
}
