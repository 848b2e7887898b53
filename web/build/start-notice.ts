/**
 * Adds to every page a notice for initial files that fail to load, and `start.js`, which reloads
 * the page once they are available. Without scripts the notice appears after a few seconds.
 */
import type { Plugin } from "vite";

const style = `#start{position:fixed;inset:0;z-index:1000;display:flex;align-items:center;justify-content:center;
padding:24px;background:Canvas;color:CanvasText;font:16px/1.6 system-ui,sans-serif;text-align:center;
visibility:hidden;animation:start 0s 8s forwards}#start p{margin:8px;max-width:32em}#start a{color:LinkText}
#start[data-shown]{visibility:visible;animation:none}@keyframes start{to{visibility:visible}}`;

const head = `
    <style nonce="__CSP_NONCE__">${style.replaceAll("\n", "")}</style>
    <script src="/start.js"></script>
    <noscript><style nonce="__CSP_NONCE__">#start{display:none}</style></noscript>`;

const notice = `
    <div id="start"><div>
      <p lang="en">The page is not loaded yet. <a href="">Load it again</a></p>
      <p lang="fr">La page n’est pas encore chargée. <a href="">La recharger</a></p>
    </div></div>`;

const charset = '<meta charset="utf-8" />';

const body = "<body>";

export function startNotice(): Plugin {
  return {
    name: "start-notice",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) => {
        if (!html.includes(charset) || !html.includes(body)) {
          throw new Error(`A page has no ${charset} or no ${body}`);
        }
        const font = Object.keys(bundle).find((file) => file.endsWith(".woff2"));
        const preload = font === undefined ? "" : `\n    ${fontTag(font)}`;
        return html.replace(charset, charset + head + preload).replace(body, body + notice);
      },
    },
  };
}

/** If it loads late, it is used from the next page on. */
function fontTag(file: string): string {
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}" />`;
}
