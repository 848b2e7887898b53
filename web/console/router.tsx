/** The router. Each area defines its routes in `<area>/routes.ts`. */
import { createRouter } from "@tanstack/react-router";
import { queryClient } from "../components/start-page.tsx";
import { deliveryRoutes } from "./deliveries/routes.ts";
import { meetingRoutes } from "./meetings/routes.ts";
import { roomRoutes } from "./rooms/routes.ts";
import { messageRoutes } from "./messages/routes.ts";
import { platformRoutes } from "./platform/routes.ts";
import { elsewhereRoute, rootRoute, signedInRoute } from "./root-routes.tsx";
import { parseSearchText, writeSearchText } from "./search-text.ts";
import { searchRoutes } from "./search/routes.ts";
import { settingRoutes } from "./settings/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { statisticsRoutes } from "./statistics/routes.ts";
import { ticketRoutes } from "./tickets/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import { Loading } from "./shell/loading.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { LoadFault } from "../components/load-fault.tsx";

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  signedInRoute.addChildren([
    ...ticketRoutes,
    ...meetingRoutes,
    ...roomRoutes,
    ...messageRoutes,
    ...statisticsRoutes,
    ...deliveryRoutes,
    ...webhookRoutes,
    ...settingRoutes,
    ...platformRoutes,
    ...searchRoutes,
    elsewhereRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: Failed,
  defaultPendingComponent: Loading,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // Plain values in the URL: `?state=dead`, not `?state="dead"`.
  parseSearch: parseSearchText,
  stringifySearch: writeSearchText,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** Shown if a page failed to render. */
function Failed({ error, reset }: { error: unknown; reset: () => void }) {
  return <LoadFault error={error} onRetry={reset} />;
}
