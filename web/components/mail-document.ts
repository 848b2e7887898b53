/**
 * Prepares the HTML of a mail for a document under our Content-Security-Policy, which blocks inline
 * styles: they are extracted, and a script sets them. Removes scripts, frames, forms and external
 * resources; links keep their style but lose their target.
 */
import { parseMarkup } from "./mail-markup.ts";

const unwanted = "script, style, link, meta, base, iframe, frame, object, embed, form, title";

/**
 * The body, with `data-style` for each `style` attribute, and the contents of its style elements.
 */
export function readMail(html: string): { body: HTMLElement; sheets: string[] } {
  const { markup, sheets } = parseMarkup(html);
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  for (const element of body.querySelectorAll(unwanted)) {
    element.remove();
  }
  for (const element of [body, ...body.querySelectorAll("*")]) {
    isInert(element);
  }
  return { body, sheets };
}

const loading = ["src", "srcset", "background", "poster"] as const;

function isInert(element: Element): void {
  for (const { name } of [...element.attributes]) {
    // Includes `xlink:href`, which SVG shapes refer to.
    if (/^on|(?:^|:)href$|^(?:form)?action$/u.test(name)) {
      element.removeAttribute(name);
    }
  }
  for (const name of loading) {
    if (element.getAttribute(name)?.startsWith("data:") === false) {
      element.removeAttribute(name);
    }
  }
}
