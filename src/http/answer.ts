import type { Response } from "express";
import { problemCatalogue, type Problem } from "../contracts/problems.ts";
import { problemBody } from "./problem-body.ts";
import type { Answer } from "./route.ts";

const sendJson = (response: Response, contentType: string, body: unknown): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader("Content-Type", contentType);
  response.setHeader("Content-Length", bytes.length);
  response.end(bytes); // Node itself leaves the body away where the method is HEAD
};

export const sendAnswer = (response: Response, answer: Answer): void => {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    response.setHeader(name, value);
  }
  if (answer.body === undefined) {
    response.end();
  } else {
    sendJson(response, "application/json", answer.body);
  }
};

export const sendProblem = (
  response: Response,
  problem: Problem,
  context: { baseUrl: string; requestId: string; isOauth: boolean },
): void => {
  response.statusCode = problemCatalogue[problem.kind].status;
  for (const [name, value] of Object.entries(problem.headers)) {
    response.setHeader(name, value);
  }
  sendJson(response, "application/problem+json", problemBody(problem, context));
};
