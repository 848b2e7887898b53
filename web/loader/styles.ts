/** The styles, in files of the platform: a host's policy needs to name the platform, not a hash. */
import type { Settings } from "./arguments.ts";
import { element } from "./dom.ts";

/** Resolves when they are there, or cannot be had. */
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
