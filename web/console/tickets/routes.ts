import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { validateListSearch } from "./list/list-search.ts";

const listPage = lazyPage("tickets", () => import("./list/page.tsx"), "TicketsPage");
const detailPage = lazyPage("tickets", () => import("./detail/page.tsx"), "TicketPage");

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/tickets",
  validateSearch: validateListSearch,
  component: listPage,
});

/** The agents' list, at the URL that tickets contain as `agent_url`. */
const agentList = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/agent",
  validateSearch: validateListSearch,
  component: listPage,
});

const create = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/tickets/new",
  component: lazyPage("tickets", () => import("./create/page.tsx"), "CreatePage"),
});

const detail = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/tickets/$ticketId",
  component: detailPage,
});

const report = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/tickets/$ticketId/report",
  component: lazyPage("tickets", () => import("./report/report-page.tsx"), "ReportPage"),
});

export const ticketRoutes = [list, agentList, create, detail, report];
