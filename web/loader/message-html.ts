/** A message as HTML: escaped, with its links to be followed. Pure. */
import { tokenize } from "linkifyjs";

/** Safe to be set as the HTML of an element, whatever somebody wrote. Lines stay lines. */
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

/** Only what a browser opens as a page or as a mail. */
function isSafe(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)/iu.test(href);
}
