/** The root routes: public, and with a session. */
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { hadSession } from "../base/session.ts";
import { sessionQuery } from "./session.ts";
import { NotFound } from "./shell/not-found.tsx";
import { SessionFault } from "./shell/session-fault.tsx";
import { Shell } from "./shell/shell.tsx";

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
});

/** Requires a session; redirects to the sign-in and back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.query({ ...sessionQuery, staleTime: "static" });
    if (session === null) {
      const search = { next: location.href, ...(hadSession() ? { reason: "ended" as const } : {}) };
      redirect({ to: "/login", search, throw: true });
    }
  },
  component: Shell,
  errorComponent: SessionFault,
});

/** Not found, shown inside the console's frame. */
export const elsewhereRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "$",
  component: NotFound,
});
