/** The live page in a real Chromium: what its main thread does while deliveries are settled. */
import { loadavg } from "node:os";
import type { Page } from "playwright-core";
import { sleep } from "../../src/platform/concurrency/sleep.ts";
import { launchChromium } from "../support/chromium.ts";
import { watchTasks } from "../support/page-tasks.ts";
import type { Login } from "../support/stack.ts";

export type LivePage = {
  settledPerSecond: number;
  /** Tasks of the page's main thread, and the longest of them by its own processor time. */
  tasks: number;
  longestCpuMs: number;
  /** The longest by the clock on the wall, where the browser calls it long (from 50 ms on). */
  longestWallMs: number;
  longTasks: number;
  mainThreadPercent: number;
  /** Processes that wanted to run, over the last minute: beyond the cores they wait for each other. */
  load: number;
};

const firstMs = 60_000;

async function openPage(page: Page, url: string, { login, password }: Login): Promise<void> {
  page.setDefaultTimeout(firstMs);
  await page.goto(`${url}/dashboard/deliveries`);
  await page.getByLabel("Login").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await page.getByRole("slider", { name: "Results" }).waitFor();
}

/** Watches for so long, after the page has shown what happens for some seconds. */
export async function livePage(
  { url, login }: { url: string; login: Login },
  { seconds, settled }: { seconds: number; settled: () => number },
): Promise<LivePage> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    await openPage(page, url, login);
    await sleep(5_000);
    const before = { settled: settled(), at: performance.now() };
    const watched = await watchTasks(page, () => sleep(seconds * 1_000));
    const tookMs = performance.now() - before.at;
    return {
      settledPerSecond: ((settled() - before.settled) * 1_000) / tookMs,
      tasks: watched.count,
      longestCpuMs: watched.longestMs,
      longestWallMs: Math.max(0, ...watched.longTasks),
      longTasks: watched.longTasks.length,
      mainThreadPercent: watched.mainThreadPercent,
      load: loadavg()[0] ?? 0,
    };
  } finally {
    await browser.close();
  }
}
