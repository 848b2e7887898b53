/**
 * Loads the styles as files, so that a host's Content-Security-Policy needs the server's origin
 * instead of hashes.
 */
import type { Settings } from "./arguments.ts";
import { element } from "./dom.ts";

/** Resolves when they have loaded or failed. */
export function loadStyles({
  root,
  template,
  hasTheme,
}: Pick<Settings, "root" | "template" | "hasTheme">): Promise<HTMLLinkElement[]> {
  return Promise.all(
    [template, ...(hasTheme ? ["theme"] : [])].map((name) => load(`${root}/loader/${name}.css`)),
  );
}

const waitMs = 5_000;

function load(href: string): Promise<HTMLLinkElement> {
  return new Promise((resolve) => {
    const link = element("link", { rel: "stylesheet", href, "data-im": "" });
    const done = (): void => resolve(link);
    link.addEventListener("load", done);
    link.addEventListener("error", () => {
      window.console.warn(`loadAgent: ${href} could not be loaded; the boxes have no styles.`);
      done();
    });
    setTimeout(done, waitMs);
    document.head.append(link);
  });
}
