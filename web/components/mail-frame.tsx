import { useRef, useState } from "react";
import classes from "./mail-frame.module.css";
import { readMail } from "./mail-document.ts";

/** Blocks all loading, even from our origin: such a request would carry the viewer's session. */
const policy = "default-src 'none'; img-src data:";

const leastHeight = 160;

const blank =
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">` +
  `<title></title>`;

type MailFrameProps = Readonly<{ html: string; title: string }>;

/** A mail in a sandboxed frame: no scripts, no external resources, no working links. */
export function MailFrame({ html, title }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(leastHeight);
  const show = (): void => {
    if (frame.current !== null) {
      setHeight(fill(frame.current, html));
    }
  };
  return (
    <iframe
      key={html}
      ref={frame}
      title={title}
      // Same origin without scripts gives the mail no access, but lets us measure its height.
      sandbox="allow-same-origin"
      srcDoc={blank}
      onLoad={show}
      className={classes["frame"]}
      style={{ height }}
    />
  );
}

/**
 * Fills the empty document of the frame; sets styles by script because of our
 * Content-Security-Policy.
 */
function fill(frame: HTMLIFrameElement, html: string): number {
  const [inner, view] = [frame.contentDocument, frame.contentWindow];
  if (inner === null || view === null) {
    return leastHeight;
  }
  const { body, sheets } = readMail(html);
  inner.body.replaceWith(inner.importNode(body, true));
  for (const element of inner.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset["style"] ?? "";
    delete element.dataset["style"];
  }
  const Sheet = (view as Window & { CSSStyleSheet: typeof CSSStyleSheet }).CSSStyleSheet;
  inner.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new Sheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return Math.max(leastHeight, inner.documentElement.scrollHeight);
}
