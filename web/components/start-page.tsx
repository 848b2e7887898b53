/** What every page made of components stands on: texts, look, the cache of what was asked. */
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, Suspense, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "../base/i18n.ts";
import type { Area } from "../base/text-keys.ts";
import { mayPass } from "../base/retry.ts";
import { cssVariables, theme } from "./theme.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, thrown) => failures < 2 && mayPass(thrown),
      staleTime: 5_000,
      refetchOnWindowFocus: true,
    },
  },
});

const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";

/** What locks the page behind a dialog makes a `<style>`, and asks for its nonce by this name. */
const tellNonce = (): void => {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
};

/** Draws a page once the common texts are there, and those of the areas that it begins with. */
export const startPage = async (page: ReactNode, ...areas: readonly Area[]): Promise<void> => {
  tellNonce();
  await startI18n(areas);
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
          <Suspense fallback={null}>{page}</Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
};
