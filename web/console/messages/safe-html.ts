/**
 * Sanitizes the HTML of a mail: text and structure without scripts, external resources and styles.
 * Pure.
 */

const gone =
  "script,style,link,meta,base,img,picture,svg,iframe,object,embed,video,audio,form,input";

const kept = new Set(["href", "colspan", "rowspan", "dir", "lang", "align"]);

export function safeHtml(html: string): string {
  const parsed = new DOMParser().parseFromString(disarmed(html), "text/html");
  parsed.querySelectorAll(gone).forEach((element) => element.remove());
  for (const element of parsed.body.querySelectorAll("*")) {
    for (const { name } of [...element.attributes]) {
      if (!kept.has(name)) {
        element.removeAttribute(name);
      }
    }
    const href = element.getAttribute("href");
    if (href !== null && !/^(?:https?|mailto|tel):/iu.test(href)) {
      element.removeAttribute("href");
    }
  }
  const head = '<meta charset="utf-8"><meta name="color-scheme" content="light dark">';
  return `<!doctype html><html><head>${head}</head><body>${parsed.body.innerHTML}</body></html>`;
}

/**
 * Renames styles and handlers before parsing, because browsers report each one that the
 * Content-Security-Policy blocks, even in an inert document. Safety does not depend on this: each
 * element is checked below.
 */
function disarmed(html: string): string {
  return html.replaceAll(/<[^<>]*>/gu, (tag) =>
    tag
      .replace(/^<(\/?)(?:style|script)(?=[\s/>])/iu, "<$1template")
      .replaceAll(/([\s"'/])(?:style|on[a-z]+)(?=\s*=)/giu, "$1data-gone"),
  );
}
