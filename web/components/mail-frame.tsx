import { useRef, useState } from "react";
import classes from "./mail-frame.module.css";
import { readMail } from "./mail-document.ts";

/** Nothing is loaded, from our own origin neither: with it would go the session of who looks. */
const policy = "default-src 'none'; img-src data:";

const leastHeight = 160;

const blank =
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">` +
  `<title></title>`;

type MailFrameProps = Readonly<{ html: string; title: string }>;

/**
 * A mail as its reader sees it, in a document of its own where nothing runs, nothing is loaded and no
 * link leads anywhere.
 */
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
      // No scripts: without them, our own origin gives the mail nothing, and us its height.
      sandbox="allow-same-origin"
      srcDoc={blank}
      onLoad={show}
      className={classes["frame"]}
      style={{ height }}
    />
  );
}

/** Puts the mail into the empty document of the frame: styles by script, as our policy wants it. */
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
