/** Bootstraps a React page: texts, theme and query cache. */
import "./styles.ts";
import { MantineProvider } from "@mantine/core";
import { onlineManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { backoffMs } from "../base/backoff.ts";
import { connection } from "../base/connection.ts";
import { startI18n } from "../base/i18n.ts";
import { forgetFailures } from "../base/loader.ts";
import { retryTransient } from "../base/retry.ts";
import type { Area } from "../base/text-keys.ts";
import { endStart, pageRoot } from "../shared/page-root.ts";
import { wait } from "../shared/wait.ts";
import { ConnectionNotice } from "./connection-notice.tsx";
import { PartBoundary } from "./error-boundary.tsx";
import { cssVariables, theme } from "./theme.ts";
import { Toasts } from "./toasts.tsx";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...retryTransient,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // Queries fail at once while the server is unreachable, and show the error in place.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});

/** Renders a page once the base texts and those of `areas` are loaded. */
export async function startPage(page: ReactNode, ...areas: readonly Area[]): Promise<void> {
  setStyleNonce();
  followConnection();
  await loadFirstTexts(areas);
  createRoot(pageRoot()).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <Toasts />
          <ConnectionNotice />
          <PartBoundary>{page}</PartBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
  endStart();
}

/** The scroll lock of dialogs injects a `<style>` and reads its nonce from this global. */
function setStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}

function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
}

/** Refetches the active queries once the server is reachable again. */
function followConnection(): void {
  // The browser reports changes of its own network.
  window.addEventListener("offline", connection.reportAway);
  window.addEventListener("online", connection.probeNow);
  onlineManager.setEventListener((setOnline) =>
    connection.subscribe(() => setOnline(!connection.state().isAway)),
  );
}

/** Retries until the texts are loaded; `start.js` tells the user if this takes long. */
async function loadFirstTexts(areas: readonly Area[]): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      await startI18n(areas);
      return;
    } catch {
      window.dispatchEvent(new Event("sightline:starting"));
      forgetFailures();
      await wait(backoffMs(failures));
    }
  }
}
