import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { rootRoute } from "../root-routes.tsx";

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: (search): { next?: string } =>
    typeof search["next"] === "string" ? { next: search["next"] } : {},
  component: lazyPage("sign-in", () => import("./login.tsx"), "LoginPage"),
});

/** Opened by a link of a mail, with a token behind the `#`. */
const password = createRoute({
  getParentRoute: () => rootRoute,
  path: "/password",
  component: lazyPage("sign-in", () => import("./password.tsx"), "PasswordPage"),
});

export const signInRoutes = [login, password];
