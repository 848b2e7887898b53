import { RouterProvider } from "@tanstack/react-router";
import { router } from "./router.tsx";
import { SessionWatch } from "./session-watch.tsx";

/** The console, for signed-in staff. */
export function Console() {
  return (
    <>
      <RouterProvider router={router} />
      <SessionWatch />
    </>
  );
}
