/**
 * What a browser is shown instead of what it asked for: in the reader's language, in our look, with a
 * way on. It needs no other file, since it may be shown where none can be had.
 */
import type { Request, Response } from "express";
import { problemCatalogue, type Problem, type ProblemKind } from "../contracts/problems.ts";
import { escapeHtml, sendPlainPage } from "./plain-page.ts";
import { pageLanguages, problemPageTexts, type PageLanguage } from "./problem-page-texts.ts";

type TextName = Exclude<keyof (typeof problemPageTexts)["en"], "home">;

/** With the status and the headers of the fault. */
export function sendProblemPage(
  request: Request,
  response: Response,
  { fault, requestId }: Readonly<{ fault: Problem; requestId: string }>,
): void {
  const language = languageOf(request);
  response
    .status(problemCatalogue[fault.kind].status)
    .set(fault.headers)
    .set("Cache-Control", "no-store")
    .vary("Accept-Language");
  const content = contentOf({ fault, path: request.path, requestId, language });
  sendPlainPage(response, { language, ...content });
}

function languageOf(request: Request): PageLanguage {
  return (
    pageLanguages.find((language) => language === request.acceptsLanguages(pageLanguages)) ?? "en"
  );
}

type Shown = Readonly<{ fault: Problem; path: string; requestId: string; language: PageLanguage }>;

function contentOf({ fault, path, requestId, language }: Shown): { title: string; main: string } {
  const texts = problemPageTexts[language];
  const name = textNameOf(fault, path);
  const { title, text } = texts[name];
  // What is known besides is said in English, as the API says it.
  const hasDetail = name === "refused";
  const detail = hasDetail ? `<p class="note" lang="en">${escapeHtml(fault.message)}</p>` : "";
  const id = name === "failed" ? `<p class="note"><code>${escapeHtml(requestId)}</code></p>` : "";
  return { title, main: `<p>${text}</p>\n${detail}${id}<a href="/">${texts.home}</a>` };
}

const textNames: Partial<Record<ProblemKind, TextName>> = {
  not_found: "notFound",
  gone: "gone",
  rate_limited: "rateLimited",
  internal: "failed",
  dependency_down: "failed",
};

/** `/m/{service_key}/{room}` of a meeting and `/e/…` of a button: what guests are sent. */
const roomAddress = /^\/[em]\//u;

function textNameOf({ kind }: Problem, path: string): TextName {
  return kind === "not_found" && roomAddress.test(path) ? "noRoom" : (textNames[kind] ?? "refused");
}
