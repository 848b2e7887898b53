/**
 * The HTML of a mail, made fit for a document under our Content-Security-Policy, which takes no
 * styles from markup: they are kept aside for a script to set. Scripts, frames, forms and what is
 * loaded from elsewhere are left out; links keep their look and lead nowhere.
 */
import { parseMarkup } from "./mail-markup.ts";

const unwanted = "script, style, link, meta, base, iframe, frame, object, embed, form, title";

/** The body, with `data-style` for each `style`, and what its style elements hold. */
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
    // `xlink:href` among them: what shapes of SVG are drawn of.
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
