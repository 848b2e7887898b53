import { createRoute, redirect } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { searchOf } from "../use-search.ts";

const layout = createRoute({
  getParentRoute: () => signedInRoute,
  id: "settings-layout",
  component: lazyPage("settings", () => import("./layout.tsx"), "SettingsLayout"),
});

const start = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings",
  beforeLoad: () => redirect({ to: "/settings/profile", throw: true }),
});

const profile = createRoute({
  getParentRoute: () => layout,
  path: "/settings/profile",
  component: lazyPage("settings", () => import("./profile/page.tsx"), "ProfilePage"),
});

const company = createRoute({
  getParentRoute: () => layout,
  path: "/settings/company",
  component: lazyPage("settings", () => import("./company/page.tsx"), "CompanyPage"),
});

const domains = createRoute({
  getParentRoute: () => layout,
  path: "/settings/domains",
  component: lazyPage("settings", () => import("./domains/page.tsx"), "DomainsPage"),
});

const tokens = createRoute({
  getParentRoute: () => layout,
  path: "/settings/tokens",
  component: lazyPage("settings", () => import("./tokens/page.tsx"), "TokensPage"),
});

const audit = createRoute({
  getParentRoute: () => layout,
  path: "/settings/audit",
  validateSearch: searchOf("object", "since", "until", "open"),
  component: lazyPage("settings", () => import("./audit/page.tsx"), "AuditPage"),
});

const alerts = createRoute({
  getParentRoute: () => layout,
  path: "/settings/alerts",
  component: lazyPage("settings", () => import("./alerts/page.tsx"), "AlertsPage"),
});

const users = createRoute({
  getParentRoute: () => layout,
  path: "/settings/users",
  validateSearch: searchOf("q", "role", "group", "active", "page", "open"),
  component: lazyPage("users", () => import("../users/page.tsx"), "UsersPage"),
});

const groups = createRoute({
  getParentRoute: () => layout,
  path: "/settings/groups",
  validateSearch: searchOf("page", "open"),
  component: lazyPage("users", () => import("../users/groups/page.tsx"), "GroupsPage"),
});

const services = createRoute({
  getParentRoute: () => layout,
  path: "/settings/services",
  validateSearch: searchOf("q", "kind", "page"),
  component: lazyPage("services", () => import("../services/page.tsx"), "ServicesPage"),
});

const newService = createRoute({
  getParentRoute: () => layout,
  path: "/settings/services/new",
  component: lazyPage("services", () => import("../services/new-page.tsx"), "NewServicePage"),
});

const service = createRoute({
  getParentRoute: () => layout,
  path: "/settings/services/$serviceId",
  component: lazyPage("services", () => import("../services/detail/page.tsx"), "ServicePage"),
});

const templates = createRoute({
  getParentRoute: () => layout,
  path: "/settings/templates",
  validateSearch: searchOf("service", "kind", "channel", "language"),
  component: lazyPage("templates", () => import("../templates/page.tsx"), "TemplatesPage"),
});

export const settingRoutes = [
  start,
  layout.addChildren([
    ...[profile, company, users, groups, services, newService, service, templates],
    ...[domains, tokens, audit, alerts],
  ]),
];
