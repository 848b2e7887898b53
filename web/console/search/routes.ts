import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";

const search = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/search",
  validateSearch: (given): { q: string } => ({
    q: typeof given["q"] === "string" ? given["q"] : "",
  }),
  component: lazyPage("search", () => import("./page.tsx"), "SearchPage"),
});

export const searchRoutes = [search];
