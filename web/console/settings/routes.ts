import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const layout = createRoute({
  getParentRoute: () => signedInRoute,
  id: "settings-layout",
  component: lazyRouteComponent(() => import("./layout.tsx"), "SettingsLayout"),
});

const start = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings",
  beforeLoad: () => redirect({ to: "/settings/profile", throw: true }),
});

const profile = createRoute({
  getParentRoute: () => layout,
  path: "/settings/profile",
  component: lazyRouteComponent(() => import("./profile/page.tsx"), "ProfilePage"),
});

const company = createRoute({
  getParentRoute: () => layout,
  path: "/settings/company",
  component: lazyRouteComponent(() => import("./company/page.tsx"), "CompanyPage"),
});

const domains = createRoute({
  getParentRoute: () => layout,
  path: "/settings/domains",
  component: lazyRouteComponent(() => import("./domains/page.tsx"), "DomainsPage"),
});

const tokens = createRoute({
  getParentRoute: () => layout,
  path: "/settings/tokens",
  component: lazyRouteComponent(() => import("./tokens/page.tsx"), "TokensPage"),
});

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const audit = createRoute({
  getParentRoute: () => layout,
  path: "/settings/audit",
  validateSearch: (search): { object?: string; since?: string; until?: string } => {
    const [object, since, until] = ["object", "since", "until"].map((name) => textOf(search[name]));
    return {
      ...(object === undefined ? {} : { object }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    };
  },
  component: lazyRouteComponent(() => import("./audit/page.tsx"), "AuditPage"),
});

export const settingsLayoutRoute = layout;

export const settingRoutes = [
  start,
  layout.addChildren([profile, company, domains, tokens, audit]),
];
