import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const search = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/search",
  validateSearch: (given): { q: string } => ({
    // A number in the address comes as one.
    q: ["string", "number"].includes(typeof given["q"]) ? String(given["q"]) : "",
  }),
  component: lazyRouteComponent(() => import("./page.tsx"), "SearchPage"),
});

export const searchRoutes = [search];
