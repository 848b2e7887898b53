/** Converts a message to HTML: escaped, with links. Pure. */
import { tokenize } from "linkifyjs";

/** Safe for `innerHTML`. Keeps line breaks. */
export function messageHtml(text: string): string {
  return tokenize(text)
    .map((token) => {
      const shown = escapeHtml(token.toString());
      const href = token.isLink ? token.toHref("https") : "";
      return isSafe(href)
        ? `<a href="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer nofollow">${shown}</a>`
        : shown;
    })
    .join("")
    .replace(/\r\n|\r|\n/gu, "<br>");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => entities[character] ?? "");
}

/** Allows web and mail links only. */
function isSafe(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)/iu.test(href);
}
