import { createElement, type ComponentType } from "react";
import { createLoader, useLoaded } from "../base/loader.ts";

/**
 * A component whose script is loaded once it is shown. It stands in a `Part`, which says what is wrong
 * where it cannot be loaded, and tries again; React's own `lazy` keeps a failure for ever.
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
