import type { RouteComponent } from "@tanstack/react-router";
import { createElement } from "react";
import { loadTexts } from "../base/i18n.ts";
import { createLoader, useLoaded } from "../base/loader.ts";
import type { Area } from "../base/text-keys.ts";

/**
 * The page of a route, which comes together with the texts of its areas. One that asks for them while
 * it is drawn is drawn twice, the second time 300 ms later: React holds back what was suspended.
 * Unlike the router's own, it never loads the document again by itself: where the platform is away,
 * that would leave an empty one.
 *
 * @param name of the export of the module that `load` gives
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
