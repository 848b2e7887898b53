/** A page of a title and a few words in our look. It needs no other file. */
import { randomBytes } from "node:crypto";
import type { Response } from "express";

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f9, #0e1116);
  color: light-dark(#1a1f27, #e4e8ee); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { box-sizing: border-box; width: min(480px, 100vw - 32px); padding: 28px; border-radius: 10px;
  border: 1px solid light-dark(#dde1e7, #29313c); background: light-dark(#ffffff, #151a21); }
.brand { display: flex; gap: 8px; align-items: center; margin: 0 0 20px; font-weight: 600; font-size: 14px; }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
.note { color: light-dark(#596373, #96a1b1); font-size: 14px; overflow-wrap: anywhere; }
a { color: light-dark(#2457d6, #86a8ff); }
svg { fill: light-dark(#2457d6, #86a8ff); }`;

const mark =
  '<svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="7"/></svg>';

type PlainPage = Readonly<{
  language: string;
  title: string;
  /** What stands below the title, as HTML. */
  main: string;
}>;

/** The answer of a page, with a policy that lets nothing be loaded. */
export function sendPlainPage(response: Response, { language, title, main }: PlainPage): void {
  const nonce = randomBytes(16).toString("base64url");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  response.set("Content-Security-Policy", policy).type("html").send(`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<p class="brand">${mark}Sightline</p>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`);
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
