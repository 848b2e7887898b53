import { createElement, type ComponentType } from "react";
import { createLoader, useLoaded } from "../base/loader.ts";

/**
 * A lazily loaded component. Place it in a `PartBoundary`, which shows errors and retries; React's
 * own `lazy` caches a failure forever.
 *
 *     const Plot = lazyPart(async () => (await import("./plot.tsx")).Plot);
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loader = createLoader(load);
  return function LazyPart(props: Props) {
    return createElement(useLoaded(loader), props);
  };
}
