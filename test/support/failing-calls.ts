/** A platform that does not respond to some calls of a page, or responds with an error. */
import type { Page, Route } from "playwright-core";
import { eventually } from "./eventually.ts";

export type Fault = 500 | 503 | "away";

/** The message of a page for each fault. */
export const faultTitles: Readonly<Record<Fault, string>> = {
  500: "An internal error occurred",
  503: "Part of the service is not responding.",
  away: "The platform is unreachable.",
};

export const requestId = "0b5d1a52-6a0e-4c5e-9d0e-3a1f5c7e9b11";

function failWith(route: Route, fault: Fault): Promise<void> {
  return fault === "away"
    ? route.abort("connectionrefused")
    : route.fulfill({
        status: fault,
        contentType: "application/problem+json",
        body: JSON.stringify({
          ...{ status: fault, code: fault === 500 ? 1 : 2, title: "Fault", errors: [] },
          instance: `urn:uuid:${requestId}`,
        }),
      });
}

/**
 * Holds, fails or passes all API calls of a page, except those for its session and those that match
 * `spared`.
 */
export async function control(page: Page, spared = /\/browser-session$/u) {
  const state = { mode: "pass" as "pass" | "hold" | Fault, held: [] as Route[] };
  await page.route("**/api/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    const isSpared = pathname.endsWith("/browser-session") || spared.test(pathname);
    if (isSpared || state.mode === "pass") {
      await route.continue();
    } else if (state.mode === "hold") {
      state.held.push(route);
    } else {
      await failWith(route, state.mode);
    }
  });
  return {
    set: async (mode: typeof state.mode): Promise<void> => {
      state.mode = mode;
      const { held } = state;
      state.held = [];
      if (mode !== "hold" && mode !== "pass") {
        await Promise.all(held.map((route) => failWith(route, mode)));
      }
    },
  };
}

/**
 * Clicks "Try again" wherever it is offered until the page shows no error; the page may also retry
 * by itself.
 */
export async function comeBack(page: Page, path: string): Promise<void> {
  const main = page.getByRole("main");
  const again = main.getByRole("button", { name: "Try again" });
  await eventually(
    async () => {
      if ((await again.count()) > 0) {
        await again
          .first()
          .click({ timeout: 1_000 })
          .catch(() => undefined);
      }
      return (await main.getByRole("alert").count()) === 0;
    },
    { timeoutMs: 15_000, everyMs: 300 },
  ).catch(() => {
    throw new Error(`${path} does not come back`);
  });
}
