import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const search = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/search",
  validateSearch: (given): { q: string } => ({
    q: typeof given["q"] === "string" ? given["q"] : "",
  }),
  component: lazyRouteComponent(() => import("./page.tsx"), "SearchPage"),
});

export const searchRoutes = [search];
