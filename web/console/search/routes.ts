import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";

const search = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/search",
  validateSearch: (input): { q: string } => ({
    q: typeof input["q"] === "string" ? input["q"] : "",
  }),
  component: lazyPage("search", () => import("./page.tsx"), "SearchPage"),
});

export const searchRoutes = [search];
