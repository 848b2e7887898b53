import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { rootRoute } from "../root-routes.tsx";

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: (search): { next?: string; reason?: "ended" } => ({
    ...(typeof search["next"] === "string" ? { next: search["next"] } : {}),
    ...(search["reason"] === "ended" ? { reason: "ended" } : {}),
  }),
  component: lazyPage("sign-in", () => import("./login.tsx"), "LoginPage"),
});

/** Opened from a mail, with a token in the fragment. */
const password = createRoute({
  getParentRoute: () => rootRoute,
  path: "/password",
  component: lazyPage("sign-in", () => import("./password.tsx"), "PasswordPage"),
});

/** Opened from an alert mail, possibly without an account. */
const alerts = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts",
  component: lazyPage("sign-in", () => import("./alerts.tsx"), "AlertsLinkPage"),
});

export const signInRoutes = [login, password, alerts];
