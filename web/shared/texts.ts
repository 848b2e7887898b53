/**
 * The texts of pages that are too small to load them by area. Each has its own in `texts/{en,fr}.json`, both
 * loaded with it: they weigh less than a further request.
 */
import { element } from "./dom.ts";
import { firstLanguage } from "./language.ts";
import type { Language } from "./words.ts";

/** The texts in the reader's language, and which one that is. */
export function textsFor<Texts>(all: Readonly<Record<Language, Texts>>): {
  texts: Texts;
  language: Language;
} {
  const language = firstLanguage();
  return { texts: all[language], language };
}

/** Puts the texts into the elements that name them: `data-t`, and `data-t-label` for what is read out. */
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

/** Text in which `` `this` `` is code and `[this](/there)` a link. Of our own texts only. */
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
