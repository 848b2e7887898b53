import type { RouteComponent } from "@tanstack/react-router";
import { createElement } from "react";
import { loadTexts } from "../base/i18n.ts";
import { createLoader, useLoaded } from "../base/loader.ts";
import type { Area } from "../base/text-keys.ts";

/**
 * A lazily loaded route that loads the texts of its areas in parallel. If a page suspended on its
 * texts while rendering, React would delay it by 300 ms. Unlike the router's own lazy routes, it
 * never reloads the document: while the server is unreachable, that would leave an empty page.
 *
 * @param name export of the module that `load` returns
 */
export function lazyPage<Name extends string>(
  areas: Area | readonly Area[],
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
): RouteComponent {
  const loader = createLoader(async (): Promise<RouteComponent> => {
    const [module] = await Promise.all([load(), ...[areas].flat().map(loadTexts)]);
    return module[name];
  });
  const Page = (): ReturnType<typeof createElement> => createElement(useLoaded(loader));
  return Object.assign(Page, { preload: loader.prefetch });
}
