/**
 * The texts of the small pages. Each page bundles both of its `texts/{en,fr}.json`: they are
 * smaller than the cost of another request.
 */
import { element } from "./dom.ts";
import { firstLanguage } from "./language.ts";
import type { Language } from "./words.ts";

/** The texts in the reader's language, and that language. */
export function textsFor<Texts>(all: Readonly<Record<Language, Texts>>): {
  texts: Texts;
  language: Language;
} {
  const language = firstLanguage();
  return { texts: all[language], language };
}

/** Fills in the elements with `data-t` (text) and `data-t-label` (accessible name). */
export function showTexts(
  texts: Readonly<Record<string, string>>,
  { language }: Readonly<{ language: Language }>,
): void {
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll<HTMLElement>("[data-t], [data-t-label]")) {
    const { t = "", tLabel = "" } = place.dataset;
    const [text, label] = [texts[t], texts[tLabel]];
    if (text !== undefined) {
      place.replaceChildren(...written(text));
    }
    if (label !== undefined) {
      place.setAttribute("aria-label", label);
    }
  }
}

const marks = /`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)/gu;

/** Renders `` `this` `` as code and `[this](/there)` as a link. For our own texts only. */
function written(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [all, code, words = "", href = ""] = match;
    parts.push(text.slice(end, match.index));
    if (code === undefined) {
      const link = element("a", "", ...written(words));
      link.href = href;
      parts.push(link);
    } else {
      parts.push(element("code", "", code));
    }
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)];
}
