import { builtIn } from "./built-in/built-in.ts";
import type { Variables } from "./kinds.ts";
import { mailHtml } from "./mail-layout.ts";
import { fillHtml, fillText, variablesIn } from "./mustache.ts";
import type { Wording } from "./wording.ts";

export type Rendered = Readonly<{ subject: string | null; text: string; html: string | null }>;

export function render(wording: Wording, values: Variables): Rendered {
  const { channel, language, kind } = wording;
  const paragraphs = paragraphsOf(wording.text, values);
  const text = paragraphs.join("\n\n");
  if (channel === "sms") {
    return { subject: null, text, html: null };
  }
  const subject = oneLine(fillText(wording.subject ?? "", values));
  const { link, enterprise = "" } = values;
  const button = link === undefined ? undefined : { label: builtIn(kind, language).button, link };
  const html =
    wording.html === null
      ? mailHtml({ language, title: subject, paragraphs, button, footer: enterprise })
      : fillHtml(wording.html, values);
  return { subject, text: `${text}\n`, html };
}

/**
 * The paragraphs of a text, which stand between empty lines. One that names a variable without a
 * value is left out whole: a meeting without a phone number says nothing about phones. The first
 * one, which greets, and the one with the link always stay.
 */
function paragraphsOf(text: string, values: Variables): string[] {
  const has = (name: string): boolean => ((values as Record<string, string>)[name] ?? "") !== "";
  const kept = text.split(/\n[ \t]*\n/u).filter((paragraph, index) => {
    const named = variablesIn(paragraph);
    return index === 0 || named.includes("link") || named.every(has);
  });
  return kept.map((paragraph) => tidy(fillText(paragraph, values)));
}

/** A name that is not known leaves no gap: `Hello ,` becomes `Hello,`. */
function tidy(text: string): string {
  return text.replaceAll(/ {2,}/gu, " ").replaceAll(" ,", ",").trim();
}

/** A header of a mail is one line. */
const maxSubject = 255;

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxSubject);
}
