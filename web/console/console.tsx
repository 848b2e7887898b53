import { RouterProvider } from "@tanstack/react-router";
import { whenSignedOut } from "../base/api.ts";
import { queryClient } from "../components/start-page.tsx";
import { router } from "./router.tsx";
import { sessionQuery } from "./session.ts";

// A session that ended leads to the sign-in, and from there back to the very page.
whenSignedOut(() => {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (session !== undefined && session !== null) {
    const next = router.state.location.href;
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, null);
    void router.navigate({ to: "/login", search: { next } });
  }
});

/** The console: everything that signed-in staff see. */
export const Console = () => <RouterProvider router={router} />;
