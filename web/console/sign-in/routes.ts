import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-routes.tsx";

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: (search): { next?: string } =>
    typeof search["next"] === "string" ? { next: search["next"] } : {},
  component: lazyRouteComponent(() => import("./login.tsx"), "LoginPage"),
});

/** Opened by a link of a mail, with a token behind the `#`. */
const password = createRoute({
  getParentRoute: () => rootRoute,
  path: "/password",
  component: lazyRouteComponent(() => import("./password.tsx"), "PasswordPage"),
});

export const signInRoutes = [login, password];
