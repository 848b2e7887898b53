/** What every page made of components stands on: texts, look, the cache of what was asked. */
import "./styles.ts";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { onlineManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { backoffMs } from "../base/backoff.ts";
import { connection } from "../base/connection.ts";
import { startI18n } from "../base/i18n.ts";
import { forgetFailures } from "../base/loader.ts";
import { retryTransient } from "../base/retry.ts";
import type { Area } from "../base/text-keys.ts";
import { ConnectionNotice } from "./connection-notice.tsx";
import { PartBoundary } from "./error-boundary.tsx";
import { cssVariables, theme } from "./theme.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...retryTransient,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // While the platform is away a question fails at once, and says so in its place.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});

/** Draws a page once the common texts are there, and those of the areas that it begins with. */
export async function startPage(page: ReactNode, ...areas: readonly Area[]): Promise<void> {
  setStyleNonce();
  followConnection();
  await loadFirstTexts(areas);
  const root = document.querySelector("#root");
  if (root === null) {
    throw new Error("The page has no #root");
  }
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" />
          <ConnectionNotice />
          <PartBoundary>{page}</PartBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
  // `start.js` objects where a file is missing; it may be missing itself.
  if (window.dispatchEvent(new Event("sightline:started", { cancelable: true }))) {
    document.querySelector("#start")?.remove();
  }
}

/** What locks the page behind a dialog makes a `<style>`, and asks for its nonce by this name. */
function setStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}

function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
}

/** Once the platform is back, whatever is shown is asked for again. */
function followConnection(): void {
  // The browser knows by itself when its network goes and comes.
  window.addEventListener("offline", connection.reportAway);
  window.addEventListener("online", connection.probeNow);
  onlineManager.setEventListener((setOnline) =>
    connection.subscribe(() => setOnline(!connection.state().isAway)),
  );
}

/** Until they are there; `start.js` says that this takes long. */
async function loadFirstTexts(areas: readonly Area[]): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      await startI18n(areas);
      return;
    } catch {
      window.dispatchEvent(new Event("sightline:starting"));
      forgetFailures();
      await new Promise((resolve) => {
        setTimeout(resolve, backoffMs(failures));
      });
    }
  }
}
