import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { loadTexts } from "../base/i18n.ts";
import type { Area } from "../base/text-keys.ts";

/**
 * The page of a route, which comes together with the texts of its area. One that asks for them while
 * it is drawn is drawn twice, the second time 300 ms later: React holds back what was suspended.
 *
 * @param name of the export of the module that `load` gives
 */
export const lazyPage = <Name extends string>(
  area: Area,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), loadTexts(area)]);
    return module;
  }, name);
