/** What all addresses of the console hang on: those of everybody, and those of who signed in. */
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { hadSession } from "../base/session.ts";
import { sessionQuery } from "./session.ts";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
});

/** Needs a session; whoever has none signs in first and then comes back to the very address. */
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
});

/** Whatever has no page: said inside the frame, from which one can go on. */
export const elsewhereRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "$",
  component: NotFound,
});
